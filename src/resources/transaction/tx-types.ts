import type { PrimaryChain } from '../../avalanche/networks.js';

/** Every type of a P-, X- or C-chain transaction (docs/contract.md, "Closed value sets"), with what it does. */
export const txTypes = {
  AddValidatorTx: 'Adds a primary network validator (before Durango).',
  AddSubnetValidatorTx: 'Adds a validator to a permissioned subnet.',
  AddDelegatorTx: 'Delegates to a primary network validator (before Durango).',
  CreateChainTx: 'Creates a blockchain in a subnet.',
  CreateSubnetTx: 'Creates a subnet.',
  ImportTx: 'Consumes outputs that another chain exported to this one.',
  ExportTx: 'Makes outputs that another chain can consume.',
  AdvanceTimeTx: "Advances the P-chain's clock.",
  RewardValidatorTx: 'Ends a staking period and returns stake and reward.',
  RemoveSubnetValidatorTx: 'Removes a validator from a permissioned subnet.',
  TransformSubnetTx: 'Makes a subnet permissionless.',
  AddPermissionlessValidatorTx: 'Adds a validator that stakes.',
  AddPermissionlessDelegatorTx: 'Delegates stake to a validator.',
  BaseTx: 'Moves assets within a chain.',
  TransferSubnetOwnershipTx: 'Gives a subnet new owners.',
  ConvertSubnetToL1Tx: 'Makes a subnet an L1 with its own validator manager.',
  RegisterL1ValidatorTx: 'Registers a validator of an L1.',
  SetL1ValidatorWeightTx: "Sets an L1 validator's weight; 0 removes it.",
  DisableL1ValidatorTx: 'Disables an L1 validator and returns its balance.',
  IncreaseL1ValidatorBalanceTx: "Adds to an L1 validator's balance.",
  CreateAssetTx: 'Creates an asset on the X-chain.',
  OperationTx: 'Mints or transfers assets by operations on the X-chain.',
  UNKNOWN: 'A type that Moraine does not know.',
} as const;

export type TxType = keyof typeof txTypes;
export const allTypes = Object.keys(txTypes) as TxType[];

/**
 * Types that name a node for a subnet, including the primary network: they begin a staking period, or delegate to one.
 */
export const stakingTypes = {
  periods: ['AddValidatorTx', 'AddSubnetValidatorTx', 'AddPermissionlessValidatorTx'],
  delegations: ['AddDelegatorTx', 'AddPermissionlessDelegatorTx'],
} as const satisfies Readonly<Record<string, readonly TxType[]>>;

/** Types that consume nothing: such a transaction is known to have no inputs. */
export const withoutInputs: readonly TxType[] = ['RewardValidatorTx', 'AdvanceTimeTx'];

const onX: ReadonlySet<string> = new Set(['BaseTx', 'CreateAssetTx', 'OperationTx', 'ImportTx', 'ExportTx']);

/** The closed set of each chain: clients refuse a reply with any other type. */
const has: Readonly<Record<PrimaryChain, (text: string) => boolean>> = {
  p: (text) => Object.hasOwn(txTypes, text) && text !== 'CreateAssetTx' && text !== 'OperationTx',
  x: (text) => onX.has(text),
  c: (text) => text === 'ImportTx' || text === 'ExportTx',
};

/** Whether transactions of the chain can have the type. */
export function isTypeOn(chain: PrimaryChain, type: TxType): boolean {
  return type === 'UNKNOWN' || has[chain](type);
}

const inAnyCase = new Map(allTypes.map((type) => [type.toLowerCase(), type]));

/** The type as it is stored, read in any case: UNKNOWN for one outside the closed set of its chain. */
export function toTxType(chain: PrimaryChain, text: string): TxType {
  const type = inAnyCase.get(text.toLowerCase());
  return type !== undefined && has[chain](type) ? type : 'UNKNOWN';
}
