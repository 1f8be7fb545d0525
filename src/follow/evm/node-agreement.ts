import { randomInt } from 'node:crypto';
import type { Answer } from '../node/apis.js';
import { contradiction } from '../node/error.js';
import type { TransactionTrace } from '../node/evm-apis.js';
import type { EvmNodes } from '../node/nodes.js';
import type { Balances } from './balance-rows.js';

/** Accounts of a batch and day whose balances are requested from every node. */
const SAMPLE = 20;
/** Every node is asked for the traces of one block with transactions in so many. */
const TRACED_ONCE_IN = 16;

/** What is believed of the traces of a block. */
export interface BlockEffects {
  readonly height: bigint;
  /** The endpoint that gave them. */
  readonly source: string;
  readonly hashes: readonly string[];
  /** What each says, as a text. */
  readonly effects: readonly string[];
}

/** What the traces of a block say, as such texts; null where they cannot be those of the block. */
export type ReadEffects = (traces: readonly TransactionTrace[]) => readonly string[] | null;

/**
 * Compares by sample what several nodes say and nothing proves. What more than half of them say is believed,
 * and the others are set aside. Where there is no such majority, it is asked for again, until they agree.
 */
export class NodeAgreement {
  /** The accounts and heights of which nodes differed last: they are compared each time. */
  private readonly disputed = new Set<string>();

  constructor(private readonly nodes: Pick<EvmNodes, 'evm' | 'endpoints' | 'setAside'>) {}

  /** Whether the traces of this block are compared. */
  isSampled(height: bigint): boolean {
    if (this.nodes.endpoints().length < 2) return false;
    return this.disputed.has(String(height)) || randomInt(TRACED_ONCE_IN) === 0;
  }

  /** @throws NodeError where nodes say other balances; the signal's reason */
  async checkBalances(
    { accounts, balances }: Pick<Balances, 'accounts' | 'balances'>,
    height: bigint,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.nodes.endpoints().length < 2 || accounts.length === 0) return;
    const indexes = this.sampleOf(accounts);
    const asked = indexes.map((index) => accounts[index]!);
    const each = await this.nodes.evm.balancesOfEach(asked, height, { signal });
    const texts = each.map(({ value, endpoint }) => ({ value: value.map(String), endpoint }));
    const believed = indexes.map((index) => String(balances[index]));
    this.decide(asked, believed, texts, ({ endpoint, value }, at) => {
      return `${endpoint} says that ${asked[at]} has ${value[at]} wei after block ${height}, and another node ${believed[at]}`;
    });
  }

  /**
   * @throws NodeError where nodes say that a transaction called otherwise; the signal's reason
   */
  async checkTraces(
    { source, effects, hashes, height }: BlockEffects,
    readEffects: ReadEffects,
    signal: AbortSignal,
  ): Promise<void> {
    const each = await this.nodes.evm.tracesOfEach(height, { signal });
    const read = each.flatMap(({ value, endpoint }) => {
      const said = readEffects(value);
      return said === null ? [] : [{ endpoint, value: said }];
    });
    this.decide([String(height)], effects, read, ({ endpoint }, at) => {
      return `${endpoint} says that transaction ${hashes[at]} of block ${height} made other internal transactions than ${source} says`;
    });
  }

  /** Those of which nodes differed before, and random ones. */
  private sampleOf(accounts: readonly string[]): number[] {
    const known = [...accounts.keys()].filter((index) => this.disputed.has(accounts[index]!));
    const start = randomInt(accounts.length);
    const count = Math.min(SAMPLE, accounts.length);
    const random = Array.from({ length: count }, (_, at) => (start + at) % accounts.length);
    return [...new Set([...known, ...random])].slice(0, SAMPLE);
  }

  private decide(
    keys: readonly string[],
    believed: readonly string[],
    each: readonly Answer<readonly string[]>[],
    difference: (other: Answer<readonly string[]>, at: number) => string,
  ): void {
    const isSame = (one: readonly string[], other: readonly string[]) =>
      one.every((text, index) => text === other[index]);
    const other = each.find(({ value }) => !isSame(value, believed));
    const isDisputed = keys.some((key) => this.disputed.has(key));
    // The one that gave it does not decide a dispute because the other one does not answer now.
    if (!other && isDisputed && each.length < 2)
      throw contradiction('nodes have contradicted each other, and one of them does not answer now');
    for (const key of keys) this.disputed.delete(key);
    if (!other) return;
    const at = other.value.findIndex((text, index) => text !== believed[index]);
    const text = `${difference(other, at)}: only one of them can be right, and no hash proves which`;
    const most = each.find(({ value }) => {
      const like = each.filter((one) => isSame(one.value, value));
      return 2 * like.length > each.length;
    });
    const outvoted = most ? each.filter(({ value }) => !isSame(value, most.value)) : [];
    for (const { endpoint } of outvoted) this.nodes.setAside(endpoint, `${text}; most nodes say otherwise`);
    if (most && isSame(most.value, believed)) return;
    for (const key of keys) this.disputed.add(key);
    throw contradiction(`${text}. They are asked again; leave out the wrong one`, other.endpoint);
  }
}
