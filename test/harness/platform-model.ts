import fc from 'fast-check';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import type { Storage } from '../../src/storage/open.js';
import { addressOf, idOf, transactionRow } from './ledger-rows.js';
import { importRows } from './seed.js';

const DAY = 86_400;

export const subnetNames = ['north', 'south', 'east', 'west'] as const;
const nodeNames = ['one', 'two', 'three'] as const;
/** The id of a subnet that no transaction made. */
export const subnetIdOf = (name: string) => idOf(`subnet ${name}`);
export const nodeIdOf = (name: string) => `NodeID-${encodeCb58(Buffer.alloc(20, name.length).fill(name))}`;
export const nodeIds = nodeNames.map(nodeIdOf);
export const validationIdOf = (name: string) => idOf(`validation ${name}`);
export const subnetIds = subnetNames.map(subnetIdOf);

// Few different ones, because equal times are common on a real chain.
export const moments = [0, 1_700_000_000, 1_700_000_001, 4_294_967_296] as const;
export const types = [
  'CreateSubnetTx',
  'TransferSubnetOwnershipTx',
  'CreateChainTx',
  'ConvertSubnetToL1Tx',
  'AddValidatorTx',
  'AddPermissionlessValidatorTx',
  'AddSubnetValidatorTx',
  'AddDelegatorTx',
  'AddPermissionlessDelegatorTx',
  'SetL1ValidatorWeightTx',
  'BaseTx',
  'RewardValidatorTx',
  'RemoveSubnetValidatorTx',
] as const;

/** What a transaction says of an L1 validator. */
export interface L1Change {
  validation: string;
  subnetId: string;
  nodeId: string;
  weight: number;
  remainingBalance: number;
  balanceChange?: number;
  blsCredentials?: { publicKey: string; proofOfPossession: string };
}

/** A transaction of the P-chain of fuji. */
export interface PlatformTx {
  name: string;
  txType: string;
  blockTimestamp: number;
  subnetId: string | null;
  nodeId: string | null;
  l1: L1Change[];
  /** The name of the transaction whose stake a RewardValidatorTx ends. */
  staking: string;
}

/** A transaction that names nothing. */
export const plainTx: PlatformTx = {
  name: '',
  txType: 'BaseTx',
  blockTimestamp: 5,
  subnetId: null,
  nodeId: null,
  l1: [],
  staking: '',
};

const l1Change: fc.Arbitrary<L1Change> = fc.record(
  {
    validation: fc.constantFrom('a', 'b', 'c'),
    subnetId: fc.constantFrom(...subnetIds),
    nodeId: fc.constantFrom(...nodeIds),
    weight: fc.nat(5),
    remainingBalance: fc.nat(9),
    balanceChange: fc.integer({ min: -9, max: 9 }),
  },
  { requiredKeys: ['validation', 'subnetId', 'nodeId', 'weight', 'remainingBalance'] },
);

export const platformTx = fc
  .record({
    name: fc.constant(''),
    txType: fc.constantFrom(...types),
    blockTimestamp: fc.constantFrom(...moments),
    subnetId: fc.option(fc.constantFrom(...subnetIds), { nil: null }),
    nodeId: fc.option(fc.constantFrom(...nodeIds), { nil: null }),
    l1: fc.array(l1Change, { maxLength: 2 }),
    staking: fc.nat(5).map((number) => `transaction ${number}`),
  })
  .map((fields): PlatformTx => fields);

export const named = (all: readonly PlatformTx[], label = 'transaction') =>
  all.map((each, index) => ({ ...each, name: `${label} ${index}` }));

export const platformTxs = fc.array(platformTx, { maxLength: 30 }).map((all) => named(all));

/** Everything else that names a subnet. */
export interface OtherNames {
  /** Subnets with a metric. */
  metrics: string[];
  /** The subnet of each EVM chain, by its id. */
  chains: { evmChainId: number; subnetId: string; isTestnet: boolean }[];
}

export const otherNames: fc.Arbitrary<OtherNames> = fc.record({
  metrics: fc.subarray([...subnetIds, subnetIdOf('of metrics alone')]),
  chains: fc.uniqueArray(
    fc.record({
      evmChainId: fc.integer({ min: 1, max: 9 }),
      subnetId: fc.constantFrom(...subnetIds, subnetIdOf('of a chain alone')),
      isTestnet: fc.boolean(),
    }),
    { selector: ({ evmChainId }) => evmChainId, maxLength: 4 },
  ),
});

/** The subnets that a transaction names, by checking it. */
export function subnetsOf({ name, txType, subnetId, l1 }: PlatformTx): string[] {
  const made = txType === 'CreateSubnetTx' ? [idOf(name)] : [];
  return [...made, ...(subnetId ? [subnetId] : []), ...l1.map((each) => each.subnetId)];
}

/** Every subnet that any row names, in code-unit order. */
export function namedSubnets(all: readonly PlatformTx[], { metrics, chains }: OtherNames): string[] {
  const ofChains = chains.filter(({ isTestnet }) => isTestnet).map(({ subnetId }) => subnetId);
  return [...new Set([...all.flatMap(subnetsOf), ...metrics, ...ofChains])].sort();
}

/** The nodes that a transaction names, by checking it and all others. */
export function nodesOf({ txType, nodeId, l1, staking }: PlatformTx, all: readonly PlatformTx[]): string[] {
  const ended = txType === 'RewardValidatorTx' ? all.find(({ name }) => name === staking)?.nodeId : null;
  return [...(nodeId ? [nodeId] : []), ...l1.map((each) => each.nodeId), ...(ended ? [ended] : [])];
}

/**
 * The nodes that transactions add to a subnet as validators, or to which they delegate there, by checking all
 * of them.
 */
export function stakersOf(all: readonly PlatformTx[], subnet: string): string[] {
  const nodes = all
    .filter(({ txType, subnetId }) => /^Add.*(Validator|Delegator)Tx$/.test(txType) && subnetId === subnet)
    .flatMap(({ nodeId }) => nodeId ?? []);
  return [...new Set(nodes)].sort();
}

/** Newest first, ties by hash. */
export function newestFirst(all: readonly PlatformTx[]): PlatformTx[] {
  return [...all].sort(
    (a, b) => b.blockTimestamp - a.blockTimestamp || (idOf(a.name) < idOf(b.name) ? 1 : -1),
  );
}

/** The owner that a transaction gives its subnet. */
export const ownerOf = ({ name }: Pick<PlatformTx, 'name'>) => addressOf(`owner by ${name}`, 'fuji');

/**
 * The owner of a subnet and the transaction that set it: the newest one; in one second a transfer comes after
 * the creation.
 */
export function ownershipOf(all: readonly PlatformTx[], subnetId: string): unknown {
  const owning = newestFirst(all).filter(
    (each) =>
      ['CreateSubnetTx', 'TransferSubnetOwnershipTx'].includes(each.txType) &&
      subnetsOf(each).includes(subnetId),
  );
  const latest = owning.filter((each) => each.blockTimestamp === owning[0]?.blockTimestamp);
  const found = latest.find((each) => each.txType === 'TransferSubnetOwnershipTx') ?? latest[0];
  return {
    owner: found ? { addresses: [ownerOf(found)] } : null,
    owningTransaction: found ? { txHash: idOf(found.name) } : null,
  };
}

export function platformRow({ name, l1, staking, ...fields }: PlatformTx): object {
  const isOwning = /^(Create|Transfer)Subnet/.test(fields.txType);
  return transactionRow(name, {
    ...fields,
    ...(isOwning && {
      subnetOwnershipInfo: { locktime: 0, threshold: 1, addresses: [ownerOf({ name })] },
    }),
    ...(fields.txType === 'RewardValidatorTx' && { stakingTxHash: idOf(staking) }),
    ...(fields.txType === 'CreateChainTx' && { blockchainInfo: { chainName: name, vmId: idOf('machine') } }),
    ...(l1.length > 0 && {
      l1ValidatorDetails: l1.map(({ validation, ...each }) => ({
        validationId: validationIdOf(validation),
        ...each,
      })),
    }),
  });
}

export async function importPlatform(
  storage: Storage,
  all: readonly PlatformTx[],
  { metrics, chains }: OtherNames = { metrics: [], chains: [] },
): Promise<void> {
  await importRows(storage, 'fuji.p-chain.transactions', all.map(platformRow));
  await importRows(
    storage,
    'fuji.subnet-metrics',
    metrics.map((subnetId) => ({
      subnetId,
      metric: 'perSubnetDailyFeesPaid',
      timestamp: 20_000 * DAY,
      value: '7',
    })),
  );
  await importRows(storage, 'evm.chains', chains.map(chainRow));
}

function chainRow({ evmChainId, ...fields }: OtherNames['chains'][number]): object {
  return {
    ...fields,
    chainId: String(evmChainId),
    chainName: `chain ${evmChainId}`,
    description: '',
    isEvm: true,
    isActive: true,
    rpcUrl: 'https://chain.example/rpc',
    networkToken: { name: 'Coin', symbol: 'COIN', decimals: 18 },
  };
}
