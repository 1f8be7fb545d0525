import {
  choice,
  digits,
  hex,
  integer,
  list,
  object,
  ref,
  text,
  whole,
  type JsonSchema,
  type JsonSchemas,
} from './build.js';
import { genesisSchemas } from './genesis.js';

const utxos = (description: string): JsonSchema => list(description, ref('Utxo'));
const amounts = (description: string): JsonSchema => list(description, ref('AssetAmount'));

const txTypes = [
  ...['AddValidatorTx', 'AddSubnetValidatorTx', 'AddDelegatorTx', 'CreateChainTx', 'CreateSubnetTx'],
  ...['ImportTx', 'ExportTx', 'AdvanceTimeTx', 'RewardValidatorTx', 'RemoveSubnetValidatorTx'],
  ...['TransformSubnetTx', 'AddPermissionlessValidatorTx', 'AddPermissionlessDelegatorTx', 'BaseTx'],
  ...['TransferSubnetOwnershipTx', 'ConvertSubnetToL1Tx', 'RegisterL1ValidatorTx', 'SetL1ValidatorWeightTx'],
  ...['DisableL1ValidatorTx', 'IncreaseL1ValidatorBalanceTx', 'CreateAssetTx', 'OperationTx', 'UNKNOWN'],
];

export const transactionSchemas: JsonSchemas = {
  ...genesisSchemas,
  Transaction: object(
    'A transaction of a primary network chain. Members that mean nothing for its txType are left out.',
    {
      txHash: text('Hash of the transaction, CB58.'),
      txType: choice('What the transaction does.', txTypes),
      blockTimestamp: whole('When its block was made, Unix seconds.'),
      blockNumber: digits('Number of its block; "0" where unknown.'),
      blockHash: text('Hash of its block; empty where unknown.'),
      consumedUtxos: utxos('The outputs that it spent.'),
      emittedUtxos: utxos('The outputs that it made.'),
      value: amounts('Newly created outputs, summed by asset.'),
      amountBurned: amounts('Inputs minus outputs, by asset: the fee.'),
      amountStaked: amounts('Amounts put at stake, by asset.'),
      amountL1ValidatorBalanceBurned: amounts('Amounts moved to balances of L1 validators, by asset.'),
    },
    {
      sourceChain: text('Blockchain id that an import or export takes from.'),
      destinationChain: text('Blockchain id that an import or export goes to.'),
      startTimestamp: whole('Start of the staking period, Unix seconds.'),
      endTimestamp: whole('End of the staking period, Unix seconds.'),
      delegationFeePercent: text("Share of its delegators' rewards that the validator keeps, percent."),
      nodeId: text('Node id of the validator, NodeID-…'),
      subnetId: text('Id of the subnet, CB58.'),
      l1ValidatorManagerDetails: object("The contract that manages an L1's validators.", {
        blockchainId: text('Id of the blockchain that holds the contract, CB58.'),
        contractAddress: hex('Address of the contract.'),
      }),
      l1ValidatorDetails: list('The L1 validators that it changed.', ref('L1ValidatorDetails')),
      estimatedReward: digits('Reward if the validator stays online, nAVAX.'),
      rewardTxHash: text('Hash of the RewardValidatorTx that ended this stake.'),
      rewardAddresses: list('Addresses that receive the reward.', { type: 'string' }),
      memo: text('Memo, hex.'),
      stakingTxHash: text('Hash of the staking transaction that this one ends.'),
      subnetOwnershipInfo: object('Who owns the subnet.', {
        locktime: whole('Unix seconds until which the owners cannot act; 0 for none.'),
        threshold: whole('Number of owners that must sign.'),
        addresses: list('Owners, bech32.', { type: 'string' }),
      }),
      blsCredentials: ref('BlsCredentials'),
      blockchainInfo: object(
        'The blockchain that a CreateChainTx made.',
        { chainName: text('Name of the blockchain.'), vmId: text('Id of its virtual machine, CB58.') },
        {
          genesisData: {
            description: 'Genesis: an object for an EVM chain, an encoded string for another kind.',
            oneOf: [ref('GenesisData'), { type: 'string' }],
          },
        },
      ),
    },
  ),
  L1ValidatorDetails: object(
    'What a transaction did to one L1 validator.',
    {
      validationId: text('Id of the validation period, CB58.'),
      nodeId: text('Node id, NodeID-…'),
      subnetId: text('Id of the subnet that the L1 was, CB58.'),
      weight: whole('Weight after the transaction; 0 means removed.'),
      remainingBalance: integer('Balance after the transaction, nAVAX.'),
    },
    {
      validationIdHex: text('The validationId as hex.'),
      balanceChange: integer('Change of the balance, nAVAX; negative when returned.'),
      blsCredentials: ref('BlsCredentials'),
    },
  ),
  BlsCredentials: object("A validator's BLS key.", {
    publicKey: hex('Compressed public key.'),
    proofOfPossession: hex('Signature by that key over itself.'),
  }),
};
