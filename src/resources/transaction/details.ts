import {
  addresses,
  digits,
  evmAddress,
  evmHash,
  hex,
  id,
  integer,
  is,
  list,
  nodeId,
  object,
  plain,
  whole,
} from '../../fields/field.js';
import type { Details, NodeOf } from '../../fields/field.js';
import type { AssetAmountNode } from '../asset/fields.js';
import { genesis } from './genesis.js';
import { transformation } from './subnet-details.js';

const bls = {
  publicKey: is(hex, 'Compressed public key, hex with 0x'),
  proofOfPossession: is(hex, 'Signature by that key over itself, hex with 0x'),
} satisfies Details;
const blsCredentials = object<NodeOf<typeof bls>>('BlsCredentials');

const l1Validator = {
  validationId: is(id, 'Id of the validation period, CB58'),
  validationIdHex: is(evmHash, 'validationId as hex with 0x', 'where unknown'),
  nodeId: is(nodeId, 'Node id, NodeID-…'),
  subnetId: is(id, 'Id of the subnet that became the L1, CB58'),
  weight: is(whole, 'Weight after the transaction; 0 means removed'),
  remainingBalance: is(whole, 'Balance after the transaction, nAVAX'),
  balanceChange: is(
    integer,
    'Change of the balance, nAVAX, negative when it was returned',
    'when it did not change',
  ),
  blsCredentials: is(blsCredentials, 'BLS key', 'where the transaction does not name it'),
} satisfies Details;

const manager = {
  blockchainId: is(id, 'Id of the blockchain of the contract, CB58'),
  contractAddress: is(evmAddress, 'Address of the contract, hex with 0x'),
} satisfies Details;

const ownership = {
  locktime: is(whole, 'Unix seconds until which the owners cannot act; 0 for none'),
  threshold: is(whole, 'Number of owners that must sign'),
  addresses: is(addresses, 'Owners, bech32'),
} satisfies Details;

const blockchain = {
  chainName: is(plain, 'Name of the blockchain'),
  vmId: is(id, 'Id of its virtual machine, CB58'),
  genesisData: {
    ...is(
      genesis,
      'Genesis: an object for an EVM chain, an encoded string for another kind',
      'where unknown',
    ),
    // In GraphQL the two kinds are two fields.
    graphql: false,
  },
} satisfies Details;

const evmAmount = {
  address: is(evmAddress, 'The account, hex with 0x'),
  assetId: is(id, 'Id of the asset, CB58'),
  amount: is(digits, "Amount in the asset's smallest unit: nAVAX for AVAX, not wei"),
} satisfies Details;

/** The objects within a transaction's details, by their names in both GraphQL and REST. */
export const detailObjects = {
  BlsCredentials: { description: "A validator's BLS key.", fields: bls },
  L1ValidatorDetails: { description: 'What a transaction did to one L1 validator.', fields: l1Validator },
  L1ValidatorManager: { description: "The contract that manages an L1's validators.", fields: manager },
  SubnetOwnership: { description: 'The owners of a subnet.', fields: ownership },
  SubnetTransformation: {
    description: 'The rules of a subnet that everybody may validate.',
    fields: transformation,
  },
  EvmAmount: {
    description: 'What a C-chain import credited to an EVM account, or an export took from one.',
    fields: evmAmount,
  },
  BlockchainInfo: { description: 'A blockchain that a CreateChainTx made.', fields: blockchain },
} satisfies Record<string, { description: string; fields: Details }>;

export type DetailObjects = {
  [Name in keyof typeof detailObjects]: NodeOf<(typeof detailObjects)[Name]['fields']>;
};

const amounts = (description: string) => is(list<AssetAmountNode>('AssetAmount'), description);
const noStaking = 'for transactions that are not about staking';
const noStake = 'for transactions that do not stake';

/** The lists that every transaction has, `[]` if the import row has none. */
export const amountLists = {
  value: amounts(
    'Sum of the amounts of newly created outputs, by asset: 0 for followed NFTs, each of which balances count as 1',
  ),
  amountBurned: amounts(
    'Inputs minus outputs and minus amountL1ValidatorBalanceBurned, by asset: the fee. Imported rows say it as their source does',
  ),
  amountStaked: amounts('Amounts put at stake, by asset'),
  amountL1ValidatorBalanceBurned: amounts(
    'Amounts moved to balances of L1 validators, by asset; no part of amountBurned',
  ),
} satisfies Details;

/** The fields that only some types of transactions fill. */
export const optionalDetails = {
  sourceChain: is(id, 'Blockchain id of the source of an import or export', 'for other transactions'),
  destinationChain: is(
    id,
    'Blockchain id of the destination of an import or export',
    'for other transactions',
  ),
  evmInputs: is(
    list<DetailObjects['EvmAmount']>('EvmAmount'),
    'What an export of the C-chain took from EVM accounts',
    'for other transactions, and where unknown',
  ),
  evmOutputs: is(
    list<DetailObjects['EvmAmount']>('EvmAmount'),
    'What an import of the C-chain credited to EVM accounts',
    'for other transactions, and where unknown',
  ),
  startTimestamp: is(whole, 'Start of the staking period, Unix seconds', noStaking),
  endTimestamp: is(whole, 'End of the staking period, Unix seconds', noStaking),
  delegationFeePercent: is(
    plain,
    "Share of its delegators' rewards that the validator keeps, percent",
    'for other transactions',
  ),
  nodeId: is(nodeId, 'Node id of the validator, NodeID-…', 'for transactions without one'),
  subnetId: is(id, 'Id of the subnet, CB58', 'for transactions without one'),
  l1ValidatorManagerDetails: is(
    object<DetailObjects['L1ValidatorManager']>('L1ValidatorManager'),
    'The manager that a ConvertSubnetToL1Tx named',
    'for other transactions',
  ),
  l1ValidatorDetails: {
    ...is(
      list<DetailObjects['L1ValidatorDetails']>('L1ValidatorDetails'),
      'The L1 validators that the transaction changed',
      'for transactions that change none',
    ),
    // In GraphQL each has its network.
    graphql: false,
  },
  estimatedReward: is(digits, 'Reward if the validator stays online, nAVAX', noStake),
  rewardTxHash: is(id, 'Hash of the RewardValidatorTx that ended this stake', 'where there is none'),
  rewardAddresses: is(addresses, 'Addresses that receive the reward', noStake),
  memo: is(hex, 'Memo of the transaction, hex with 0x', 'where unknown'),
  stakingTxHash: is(id, 'Hash of the staking transaction that this one ends', 'for other transactions'),
  subnetOwnershipInfo: {
    ...is(
      object<DetailObjects['SubnetOwnership']>('SubnetOwnership'),
      'Owners that the transaction gave a subnet',
      'for other transactions',
    ),
    // In GraphQL it has its network.
    graphql: false,
  },
  subnetTransformation: is(
    object<DetailObjects['SubnetTransformation']>('SubnetTransformation'),
    'The rules that a TransformSubnetTx gave a subnet',
    'for other transactions, and where unknown',
  ),
  blsCredentials: is(blsCredentials, "The new validator's BLS key", 'for other transactions'),
  blockchainInfo: {
    ...is(
      object<DetailObjects['BlockchainInfo']>('BlockchainInfo'),
      'The blockchain that a CreateChainTx made',
      'for other transactions',
    ),
    // In GraphQL it has its id.
    graphql: false,
  },
} satisfies Details;

/** All fields of a transaction without a column. */
export const transactionDetails = { ...amountLists, ...optionalDetails };
