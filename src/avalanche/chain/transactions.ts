import type { AtomicTransaction, PTransaction, XTransaction } from '../codec/types.js';
import type { PrimaryChain } from '../networks.js';

/** What Moraine knows of a type of transactions. */
export interface TransactionType {
  /** What such a transaction does, for people. */
  readonly does: string;
  readonly chains: readonly PrimaryChain[];
  /**
   * Whether replies may name it: clients of the REST API refuse types outside their closed set, and read
   * UNKNOWN instead.
   */
  readonly isPublished: boolean;
  /** What of the P-chain's state it changes. */
  readonly changes: 'stakers' | 'l1Validators' | null;
  /** What it does to a stake: a period of a validator or a delegation begins, or either ends. */
  readonly stake: 'validates' | 'delegates' | 'ends' | null;
  /** What it does to balances of L1 validators: it adds to one, or makes an output of what is left. */
  readonly l1Balance: 'adds' | 'returns' | null;
  /** False for one that validators make themselves: it consumes nothing. */
  readonly hasInputs: boolean;
  /** Whether it may emit more than it consumes: new assets, and rewards. */
  readonly mints: boolean;
  /** Whether it says who owns a subnet. */
  readonly ownsSubnet: boolean;
}

const plain = {
  chains: ['p'],
  isPublished: true,
  changes: null,
  stake: null,
  l1Balance: null,
  hasInputs: true,
  mints: false,
  ownsSubnet: false,
} as const;

/** Every type of a transaction of the P-, X- and C-chain. Everything else about types follows from here. */
export const transactionTypes = {
  AddValidatorTx: {
    ...plain,
    does: 'Adds a primary network validator (before Durango).',
    changes: 'stakers',
    stake: 'validates',
  },
  AddSubnetValidatorTx: {
    ...plain,
    does: 'Adds a validator to a permissioned subnet.',
    changes: 'stakers',
    stake: 'validates',
  },
  AddDelegatorTx: {
    ...plain,
    does: 'Delegates to a primary network validator (before Durango).',
    changes: 'stakers',
    stake: 'delegates',
  },
  CreateChainTx: { ...plain, does: 'Creates a blockchain in a subnet.' },
  CreateSubnetTx: { ...plain, does: 'Creates a subnet.', ownsSubnet: true },
  ImportTx: {
    ...plain,
    does: 'Consumes outputs that another chain exported to this one.',
    chains: ['p', 'x', 'c'],
  },
  ExportTx: { ...plain, does: 'Makes outputs that another chain can consume.', chains: ['p', 'x', 'c'] },
  AdvanceTimeTx: { ...plain, does: "Advances the P-chain's clock.", hasInputs: false },
  RewardValidatorTx: {
    ...plain,
    does: 'Ends a staking period and returns stake and reward.',
    stake: 'ends',
    hasInputs: false,
    mints: true,
  },
  RemoveSubnetValidatorTx: {
    ...plain,
    does: 'Removes a validator from a permissioned subnet.',
    changes: 'stakers',
  },
  TransformSubnetTx: { ...plain, does: 'Makes a subnet permissionless.', changes: 'stakers' },
  AddPermissionlessValidatorTx: {
    ...plain,
    does: 'Adds a validator that stakes.',
    changes: 'stakers',
    stake: 'validates',
  },
  AddPermissionlessDelegatorTx: {
    ...plain,
    does: 'Delegates stake to a validator.',
    changes: 'stakers',
    stake: 'delegates',
  },
  BaseTx: { ...plain, does: 'Moves assets within a chain.', chains: ['p', 'x'] },
  TransferSubnetOwnershipTx: { ...plain, does: 'Gives a subnet new owners.', ownsSubnet: true },
  ConvertSubnetToL1Tx: {
    ...plain,
    does: 'Makes a subnet an L1 with its own validator manager.',
    changes: 'l1Validators',
    l1Balance: 'adds',
  },
  RegisterL1ValidatorTx: {
    ...plain,
    does: 'Registers a validator of an L1.',
    changes: 'l1Validators',
    l1Balance: 'adds',
  },
  SetL1ValidatorWeightTx: {
    ...plain,
    does: "Sets an L1 validator's weight; 0 removes it.",
    changes: 'l1Validators',
    l1Balance: 'returns',
  },
  DisableL1ValidatorTx: {
    ...plain,
    does: 'Disables an L1 validator and returns its balance.',
    changes: 'l1Validators',
    l1Balance: 'returns',
  },
  IncreaseL1ValidatorBalanceTx: {
    ...plain,
    does: "Adds to an L1 validator's balance.",
    changes: 'l1Validators',
    l1Balance: 'adds',
  },
  AddAutoRenewedValidatorTx: {
    ...plain,
    does: 'Adds a validator whose periods follow each other by themselves.',
    isPublished: false,
    changes: 'stakers',
    stake: 'validates',
  },
  SetAutoRenewedValidatorConfigTx: {
    ...plain,
    does: 'Changes how such a validator goes on.',
    isPublished: false,
    changes: 'stakers',
  },
  RewardAutoRenewedValidatorTx: {
    ...plain,
    does: 'Ends a period of such a validator and pays its reward.',
    isPublished: false,
    stake: 'ends',
    hasInputs: false,
    mints: true,
  },
  CreateAssetTx: { ...plain, does: 'Creates an asset on the X-chain.', chains: ['x'], mints: true },
  OperationTx: {
    ...plain,
    does: 'Mints or transfers assets by operations on the X-chain.',
    chains: ['x'],
    mints: true,
  },
  UNKNOWN: { ...plain, does: 'A type that replies cannot name.', chains: ['p', 'x', 'c'] },
} as const satisfies Record<
  PTransaction['type'] | XTransaction['type'] | AtomicTransaction['type'] | 'UNKNOWN',
  TransactionType
>;

type Types = typeof transactionTypes;

/** A type as the chain names it; UNKNOWN for one that was imported without its name. */
export type TransactionTypeName = keyof Types;

/** The names of the types for which a condition holds. */
export type NamesWhere<Key extends keyof TransactionType, Value> = {
  [Name in TransactionTypeName]: Types[Name] extends Readonly<Record<Key, Value>> ? Name : never;
}[TransactionTypeName];

/** These names, in the order of the table. */
export function typesWhere<Key extends keyof TransactionType, const Value extends TransactionType[Key]>(
  key: Key,
  value: Value,
): NamesWhere<Key, Value>[] {
  const types = Object.entries<TransactionType>(transactionTypes);
  return types.filter(([, type]) => type[key] === value).map(([name]) => name) as NamesWhere<Key, Value>[];
}

/** Whether something is true of the type of a P-chain transaction. */
export function isOfType<Key extends keyof TransactionType, const Value extends TransactionType[Key]>(
  transaction: PTransaction,
  key: Key,
  value: Value,
): transaction is Extract<PTransaction, { type: NamesWhere<Key, Value> }> {
  const type: TransactionType = transactionTypes[transaction.type];
  return type[key] === value;
}

/** SQL of a list of types. */
export const sqlTexts = (types: readonly TransactionTypeName[]): string =>
  types.map((type) => `'${type}'`).join(', ');
