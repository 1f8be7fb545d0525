import { gunzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Anvil } from './anvil.js';
import { assemble, creates, deploying, sends, type Step } from './evm-code.js';
import type { Random } from './random.js';
import { coinProgram, countedNftProgram, idsProgram } from './token-code.js';

/** Contracts of tokens that the actor made. */
export interface Tokens {
  readonly wrapped: string;
  readonly erc20: string;
  readonly nfts: string;
  readonly ids: string;
}

/** Ids of NFTs, and of tokens of ERC-1155. */
const IDS = 6;
const GAS = '0x4c4b40';

export const wordOf = (value: bigint | string | number) => BigInt(value).toString(16).padStart(64, '0');
const hex = (value: bigint | number) => `0x${value.toString(16)}`;

/** Does random things on an Anvil, over several days. */
export class EvmActor {
  tokens!: Tokens;
  private accounts: readonly string[] = [];
  private readonly strangers: readonly string[];
  /** Tokens of ERC-1155 that owners have, by owner and id. */
  private readonly held = new Map<string, bigint>();

  constructor(
    readonly anvil: Anvil,
    private readonly random: Random,
  ) {
    const bytes = () => random.below(256).toString(16).padStart(2, '0');
    this.strangers = Array.from({ length: 12 }, () => `0x${Array.from({ length: 20 }, bytes).join('')}`);
  }

  /** Makes the contracts of tokens. */
  async begin(): Promise<void> {
    this.accounts = await this.anvil.call<string[]>('eth_accounts');
    const make = (program: string) => this.send({ data: `0x${deploying(program)}` });
    this.tokens = {
      wrapped: await make(coinProgram()),
      erc20: await make(coinProgram()),
      nfts: await make(countedNftProgram()),
      ids: await make(idsProgram()),
    };
  }

  /** Does some things on each of some days, one after the other. */
  async live(days: number, turns: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      for (let turn = 0; turn < turns; turn += 1) await this.act();
      // Some days have no block.
      await this.anvil.call('evm_increaseTime', 86_400 * (this.random.chance(0.2) ? 3 : 1));
      await this.anvil.call('evm_mine');
    }
  }

  /** All accounts that the node has now. */
  async everybody(): Promise<string[]> {
    const state = await this.anvil.call<string>('anvil_dumpState');
    const { accounts } = JSON.parse(gunzipSync(Buffer.from(state.slice(2), 'hex')).toString()) as {
      accounts: Record<string, unknown>;
    };
    return Object.keys(accounts);
  }

  private readonly acts: readonly (() => Promise<unknown>)[] = [
    () => this.send({ to: this.anybody(), value: hex(this.amount()) }),
    () => this.run(),
    () => this.run(0, 0, 'REVERT'),
    () => this.run(this.someone(), 'SELFDESTRUCT'),
    () => this.anvil.call('anvil_setCoinbase', this.anybody()),
    () => this.send({ to: this.tokens.wrapped, value: hex(this.amount()), from: this.account(0) }),
    () =>
      this.send({
        to: this.tokens.wrapped,
        data: `0x${wordOf(1 + this.random.below(5))}`,
        from: this.account(0),
      }),
    () => this.token('wrapped', wordOf(this.anybody()), wordOf(1 + this.random.below(3))),
    () => this.token('erc20', wordOf(this.anybody()), wordOf(this.amount()), wordOf(0)),
    () => this.token('erc20', wordOf(this.anybody()), wordOf(1 + this.random.below(3))),
    () => this.token('nfts', wordOf(1 + this.random.below(IDS)), wordOf(this.anybodyOrNobody())),
    () => this.moveIds(1),
    () => this.moveIds(2),
    () => this.together(),
  ];

  private act(): Promise<unknown> {
    return this.random.one(this.acts)();
  }

  /** Several transactions in one block. */
  private async together(): Promise<void> {
    await this.anvil.call('evm_setAutomine', false);
    const hashes: string[] = [];
    for (let count = 1 + this.random.below(4); count > 0; count -= 1)
      hashes.push(
        await this.post({ to: this.anybody(), value: hex(this.amount()), from: this.account(count) }),
      );
    await this.anvil.call('evm_mine');
    for (const hash of hashes) await this.settled(hash);
    await this.anvil.call('evm_setAutomine', true);
  }

  /** A program of random calls and creations, as the code of a creation, and how it ends. */
  private run(...end: Step[]): Promise<string> {
    const below = (bound: number) => this.random.below(bound);
    const parts: (() => Step[])[] = [
      () => sends(this.someone(), below(30)),
      () => creates(assemble(...sends('0x5555', 1)), 2 + below(5), null),
      () => creates(assemble(...sends('0x5555', 1), 0, 0, 'REVERT'), 2 + below(5), null),
      () => creates(assemble(...sends('0x5555', 0)), below(2), 1000 + below(60_000)),
      () => creates(assemble('0x7777', 'SELFDESTRUCT'), 3, null),
    ];
    const steps = Array.from({ length: 1 + below(4) }, () => this.random.one(parts)()).flat();
    return this.send({ data: `0x${assemble(...steps, ...end)}`, value: hex(100 + below(1000)) });
  }

  private token(of: keyof Tokens, ...words: string[]): Promise<string> {
    return this.send({ to: this.tokens[of], data: `0x${words.join('')}`, from: this.account(0) });
  }

  /** Makes, moves or burns tokens of one or two ids; nobody has less than none of them. */
  private async moveIds(count: 1 | 2): Promise<void> {
    const from = this.anybodyOrNobody();
    const to = from === NOBODY ? this.anybody() : this.anybodyOrNobody();
    const first = this.random.below(IDS);
    const ids = [first, (first + 1) % IDS].slice(0, count);
    const moved = ids.map((id) => {
      const has = from === NOBODY ? 1000n : (this.held.get(`${from} ${id}`) ?? 0n);
      const amount = BigInt(this.random.below(Number(has) + 1));
      for (const [owner, sign] of [
        [from, -1n],
        [to, 1n],
      ] as const)
        this.held.set(`${owner} ${id}`, (this.held.get(`${owner} ${id}`) ?? 0n) + sign * amount);
      return wordOf(id) + wordOf(amount);
    });
    await this.token('ids', wordOf(from), wordOf(to), ...moved);
  }

  private account(index: number): string {
    return this.accounts[index]!;
  }

  private anybody(): string {
    return this.random.one([...this.strangers, ...this.accounts]);
  }

  private anybodyOrNobody(): string {
    return this.random.chance(0.25) ? NOBODY : this.anybody();
  }

  private someone(): `0x${string}` {
    return this.random.one(this.strangers) as `0x${string}`;
  }

  private amount(): bigint {
    return BigInt(this.random.below(1_000_000_000)) * BigInt(this.random.below(1_000_000_000));
  }

  private post(transaction: object): Promise<string> {
    return this.anvil.call<string>('eth_sendTransaction', {
      from: this.account(1),
      gas: GAS,
      ...transaction,
    });
  }

  /** @returns the contract that it made */
  private async send(transaction: object): Promise<string> {
    return this.settled(await this.post(transaction));
  }

  private async settled(hash: string): Promise<string> {
    for (;;) {
      // A transaction is in a block a moment after its hash is given.
      const receipt = await this.anvil.call<{ contractAddress: string | null } | null>(
        'eth_getTransactionReceipt',
        hash,
      );
      if (receipt) return receipt.contractAddress ?? '';
      await sleep(2);
    }
  }
}

const NOBODY = `0x${'0'.repeat(40)}`;
