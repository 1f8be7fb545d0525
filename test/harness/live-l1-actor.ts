import { setTimeout as sleep } from 'node:timers/promises';
import { assemble, creates, deploying, nftProgram, sends, type Step } from './evm-code.js';
import type { LiveL1 } from './live-l1.js';

/* What happens on a chain of subnet-evm while it goes through all of its upgrades. */

/** Precompiles of subnet-evm. */
const precompiles = {
  minter: '0x0200000000000000000000000000000000000001',
  rewardManager: '0x0200000000000000000000000000000000000004',
  warp: '0x0200000000000000000000000000000000000005',
} as const;

/** Contracts of the genesis that pass what they are sent to the minter; the second one fails then. */
const minters = {
  keeps: '0x00000000000000000000000000000000000a11ce',
  fails: '0x00000000000000000000000000000000000bad01',
} as const;

/** Accounts whose balance changes without a transaction. */
const given = {
  atGenesis: '0x0000000000000000000000000000000000009e01',
  byUpgrade: '0x0000000000000000000000000000000000009e02',
  byState: '0x0000000000000000000000000000000000009e03',
} as const;

/** When rules change, in seconds since 1970. */
export interface Forks {
  readonly durango: number;
  readonly etna: number;
  readonly granite: number;
  /** When `upgrade.json` changes balances. */
  readonly upgrade: number;
}

/** Seconds for which `upgrade.json` switches the minter off. */
const AGAIN = 20;
const COIN = 10n ** 18n;
const hex = (value: bigint | number) => `0x${value.toString(16)}`;
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0');

const passesTo = (to: `0x${string}`): Step[] => [
  ...(['CALLDATASIZE', 0, 0, 'CALLDATACOPY', 0, 0, 'CALLDATASIZE', 0, 0, to, 'GAS', 'CALL', 'POP'] as const),
];

/** The genesis of a chain whose owner may use all precompiles. */
export function l1Genesis(evmChainId: number, owner: string, { durango, etna, granite }: Forks): object {
  const allowed = { blockTimestamp: 0, adminAddresses: [owner] };
  const feeConfig = {
    gasLimit: 15_000_000,
    targetBlockRate: 2,
    minBaseFee: 25_000_000_000,
    targetGas: 15_000_000,
    baseFeeChangeDenominator: 36,
    minBlockGasCost: 0,
    maxBlockGasCost: 1_000_000,
    blockGasCostStep: 200_000,
  };
  const config = {
    chainId: evmChainId,
    feeConfig,
    allowFeeRecipients: false,
    durangoTimestamp: durango,
    etnaTimestamp: etna,
    graniteTimestamp: granite,
    contractNativeMinterConfig: {
      ...allowed,
      enabledAddresses: Object.values(minters),
      initialMint: { [given.atGenesis]: hex(3n * COIN) },
    },
    feeManagerConfig: allowed,
    rewardManagerConfig: allowed,
    warpConfig: { blockTimestamp: durango, quorumNumerator: 67 },
  };
  const code = {
    keeps: assemble(...passesTo(precompiles.minter), 'STOP'),
    fails: assemble(...passesTo(precompiles.minter), 0, 0, 'REVERT'),
  };
  const contract = (name: keyof typeof minters) => ({ balance: '0x0', code: `0x${code[name]}` });
  const zero = (bytes: number) => `0x${'00'.repeat(bytes)}`;
  return {
    config,
    alloc: {
      [owner.slice(2)]: { balance: hex(1_000_000n * COIN) },
      [minters.keeps]: contract('keeps'),
      [minters.fails]: contract('fails'),
    },
    nonce: '0x0',
    timestamp: hex(Math.floor(Date.now() / 1000)),
    extraData: '0x',
    difficulty: '0x0',
    gasLimit: hex(feeConfig.gasLimit),
    mixHash: zero(32),
    coinbase: zero(20),
    number: '0x0',
    gasUsed: '0x0',
    parentHash: zero(32),
  };
}

/** Upgrades of a running chain: coins for two accounts, of which no transaction tells. */
export function l1Upgrade(owner: string, { upgrade }: Forks): object {
  const again = { adminAddresses: [owner], initialMint: { [given.byUpgrade]: hex(5n * COIN) } };
  return {
    precompileUpgrades: [
      { contractNativeMinterConfig: { blockTimestamp: upgrade, disable: true } },
      { contractNativeMinterConfig: { blockTimestamp: upgrade + AGAIN, ...again } },
    ],
    stateUpgrades: [
      { blockTimestamp: upgrade, accounts: { [given.byState]: { balanceChange: hex(7n * COIN) } } },
    ],
  };
}

/**
 * Who gets minted coins in an era: directly, by a contract, by one that fails then, and with bytes after the
 * call's.
 */
const recipients = (era: number) => {
  const one = (way: number) => `0x${`${era}${way}`.padStart(40, 'f')}` as const;
  return [one(1), one(2), one(3), one(4)] as const;
};

const mint = (to: string, more = ''): `0x${string}` => `0x4f5aaaba${word(to)}${word(COIN)}${more}`;

/**
 * Acts in each era of the chain: before Durango, in Durango, Etna, Granite, and after each of both upgrades.
 */
export class LiveL1Actor {
  private nft: `0x${string}` | null = null;

  constructor(
    private readonly chain: LiveL1,
    private readonly forks: Forks,
  ) {}

  /** @returns how many NFTs there are then: with the ids 0, 1 and so on */
  async act(): Promise<number> {
    const { durango, etna, granite, upgrade } = this.forks;
    const eras = [0, durango, etna, granite, upgrade, upgrade + AGAIN];
    for (const [era, since] of eras.entries()) {
      await sleep(Math.max(0, (since + 1) * 1000 - Date.now()));
      await this.actIn(era);
    }
    return eras.length;
  }

  private async actIn(era: number): Promise<void> {
    const { chain } = this;
    const someone = '0x5555';
    const [direct, byContract, failing, longer] = recipients(era);
    const fresh = `0x${String(era).padStart(40, 'e')}` as const;
    const accessList = [{ address: someone.padEnd(42, '0') as `0x${string}`, storageKeys: [] }];
    const nft = (this.nft ??= await this.deployNft());
    await chain.send({ type: 'legacy', to: fresh, value: 5n });
    await chain.send({ type: 'eip2930', to: fresh, value: 6n, accessList });
    const inner = assemble(...sends(someone, 1));
    const run = (...steps: Step[]) => ({ data: `0x${assemble(...steps)}` as const, value: 100n });
    await chain.send(
      { to: fresh, value: 7n, accessList },
      run(...sends(someone, 2), ...creates(inner, 3, null), ...creates(inner, 4, 1000 + era)),
      run(...sends(someone, 2), ...creates(assemble(someone, 'SELFDESTRUCT'), 3, null), 0, 0, 'REVERT'),
      { to: nft, data: `0x${word(BigInt(era))}${word('1')}` },
    );
    await chain.send(
      { to: precompiles.minter, data: mint(direct) },
      { to: minters.keeps, data: mint(byContract) },
      { to: minters.fails, data: mint(failing) },
      { to: minters.keeps, data: mint(longer, word('1')) },
    );
    const message = `${word('32')}${word('2')}${'abcd'.padEnd(64, '0')}`;
    await chain.send({ to: precompiles.warp, data: `0xee5b48eb${message}` });
    // Who gets the fees of the next blocks.
    const next = word(`0x${String(era).padStart(40, 'd')}`);
    await chain.send({ to: precompiles.rewardManager, data: `0x5e00e679${next}` });
  }

  private async deployNft(): Promise<`0x${string}`> {
    const [made] = await this.chain.send({ data: `0x${deploying(nftProgram())}` });
    return made!.contractAddress!;
  }
}
