import fc from 'fast-check';
import { blockchainIds, nativeAssetIds } from '../../src/avalanche/networks.js';
import type { Storage } from '../../src/storage/open.js';
import type { TestApp } from './app.js';
import { poolOf } from './connections.js';
import { addressOf, idOf, outputId, utxoRow } from './ledger-rows.js';
import { importRows } from './seed.js';

export const owners = ['anna', 'ben', 'carl'].map((name) => addressOf(name, 'fuji'));
export const assets = [nativeAssetIds.fuji, idOf('another asset'), idOf('a third asset')];
export const { p, x } = blockchainIds.fuji;

/** The fields of an output that matter for states. */
export interface OutputInState {
  name: string;
  addresses: string[];
  threshold?: number | undefined;
  assetId: string;
  amount: string;
  createdOnChainId: string;
  consumedOnChainId: string;
  blockTimestamp: number;
  platformLocktime?: number | undefined;
  stakeableLocktime?: number | undefined;
  staked: boolean;
  consumingTxHash: string | undefined;
}

const lock = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(undefined, 0, 1_700_000_000, 1_700_000_500, 4_000_000_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1_699_999_990, max: 1_700_000_510 }) },
);

/** Any moment, often one at the end of a lock, just before it or between two. */
export const moment = fc.oneof(
  fc.constantFrom(0, 1_699_999_999, 1_700_000_000, 1_700_000_499, 1_700_000_500, 5_000_000_000),
  fc.integer({ min: 1_699_999_990, max: 1_700_000_510 }),
  fc.integer({ min: 0, max: 5_000_000_000 }),
);

/** Outputs, of all kinds. */
export const outputsInStates = fc
  .array(
    fc.record({
      addresses: fc.uniqueArray(fc.constantFrom(...owners), { minLength: 1, maxLength: 3 }),
      threshold: fc.constantFrom(undefined, 1, 1, 2),
      assetId: fc.constantFrom(...assets),
      amount: fc.constantFrom('0', '1', '7', '1000', '18446744073709551615'),
      // Most are not on their way to another chain.
      chains: fc.constantFrom([p, p], [p, p], [x, x], [x, x], [p, x], [x, p]),
      blockTimestamp: fc.constantFrom(1_600_000_000, 1_600_000_001),
      platformLocktime: lock,
      stakeableLocktime: lock,
      staked: fc.constantFrom(false, false, true),
      consumingTxHash: fc.constantFrom(undefined, undefined, idOf('spender')),
    }),
    { maxLength: 60, size: 'max' },
  )
  .map((rows) =>
    rows.map(({ chains: [createdOnChainId = p, consumedOnChainId = p], ...row }, index): OutputInState => ({
      ...row,
      createdOnChainId,
      consumedOnChainId,
      name: `output ${index}`,
    })),
  );

export const states = ['SPENDABLE', 'LOCKED_PLATFORM', 'LOCKED_STAKEABLE', 'STAKED', 'IN_FLIGHT'] as const;

/**
 * When an output arrives, is spent, and is corrected: from then on a later row changes the end of its locks,
 * how many have to sign, and whether it is staked.
 */
export const life = fc.record({
  born: fc.nat(2),
  dies: fc.option(fc.nat(2), { nil: 9 }),
  corrected: fc.option(fc.nat(2), { nil: 9 }),
  as: fc.record({
    platformLocktime: moment,
    stakeableLocktime: moment,
    staked: fc.boolean(),
    threshold: fc.integer({ min: 1, max: 2 }),
  }),
});

/** The state of an output at a moment; null when it is spent. */
export function stateOf(
  row: Omit<OutputInState, 'name' | 'threshold' | 'blockTimestamp'>,
  at: number,
): string | null {
  const { createdOnChainId, consumedOnChainId, staked, consumingTxHash } = row;
  if (consumingTxHash !== undefined && !staked) return null;
  if (createdOnChainId !== consumedOnChainId) return 'IN_FLIGHT';
  if (staked) return 'STAKED';
  if (at < (row.platformLocktime ?? 0)) return 'LOCKED_PLATFORM';
  return at < (row.stakeableLocktime ?? 0) ? 'LOCKED_STAKEABLE' : 'SPENDABLE';
}

/** Whether an output needs several signatures. */
export function isShared({ addresses, threshold }: Pick<OutputInState, 'addresses' | 'threshold'>): boolean {
  return threshold === undefined ? addresses.length > 1 : threshold > 1;
}

export const onChain =
  (id: string | null) =>
  (row: OutputInState): boolean =>
    id === null || row.createdOnChainId === id || row.consumedOnChainId === id;

export const sum = (rows: readonly Pick<OutputInState, 'amount'>[]): string =>
  rows.reduce((total, { amount }) => total + BigInt(amount), 0n).toString();

/** The ids of an owner's outputs in a state, in the order of the list with default arguments. */
export function idsInState(
  rows: readonly OutputInState[],
  owner: string,
  state: string,
  at: number,
): string[] {
  return rows
    .filter((row) => row.addresses.includes(owner) && stateOf(row, at) === state)
    .map(({ name, blockTimestamp }) => ({ id: outputId(name), blockTimestamp }))
    .sort((a, b) => b.blockTimestamp - a.blockTimestamp || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

/** The parts of the balances of an address by state, by checking each output. */
export function partsOf(rows: readonly Parameters<typeof stateOf>[0][], at: number) {
  const inState = (...states: string[]) => rows.filter((row) => states.includes(stateOf(row, at) ?? ''));
  const locked = inState('LOCKED_PLATFORM', 'LOCKED_STAKEABLE').map((row) =>
    Math.max(row.platformLocktime ?? 0, row.stakeableLocktime ?? 0),
  );
  return {
    total: sum(rows.filter((row) => stateOf(row, at) !== null)),
    spendable: sum(inState('SPENDABLE')),
    lockedPlatform: sum(inState('LOCKED_PLATFORM')),
    lockedStakeable: sum(inState('LOCKED_STAKEABLE')),
    staked: sum(inState('STAKED')),
    inFlight: sum(inState('IN_FLIGHT')),
    nextUnlockTimestamp: locked.length > 0 ? Math.min(...locked) : null,
  };
}

/** Imports outputs. A file holds those of one chain: created or consumable there. */
export async function importOutputs(storage: Storage, rows: readonly OutputInState[]): Promise<void> {
  const lines = (list: readonly OutputInState[]) =>
    list.map(({ name, ...fields }) => utxoRow(name, fields, 'fuji'));
  const isOnP = onChain(p);
  await importRows(storage, 'fuji.p-chain.utxos', lines(rows.filter(isOnP)));
  await importRows(storage, 'fuji.x-chain.utxos', lines(rows.filter((row) => !isOnP(row))));
}

/** Removes every output, and what is derived from their states. */
export async function forgetOutputs(storage: Storage): Promise<void> {
  await poolOf(storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_holding, holding_output CASCADE',
  );
}

/** The ids of an address's outputs on a chain in each state, as the gateway lists them. */
export async function idsByState(
  gateway: TestApp,
  owner: string,
  chain: string,
  at: number | null,
): Promise<Record<string, string[]>> {
  const lists = states.map(
    (state) =>
      `${state}: utxos(blockchainId: "${chain}-chain", state: ${state}, at: ${at}, first: 100) { nodes { utxoId } }`,
  );
  const { data, errors } = await gateway.graphql<{
    address: Record<string, { nodes: { utxoId: string }[] }>;
  }>(`{ address(network: fuji, address: "${owner}") { ${lists.join(' ')} } }`);
  if (errors) throw new Error(JSON.stringify(errors));
  return Object.fromEntries(
    Object.entries(data.address).map(([state, { nodes }]) => [state, nodes.map(({ utxoId }) => utxoId)]),
  );
}
