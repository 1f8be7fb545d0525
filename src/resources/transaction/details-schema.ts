import type { Builder } from '../../graphql/builder.js';
import { registerGenesis, type GenesisObjects } from './genesis-schema.js';
import type { BlsCredentials, L1ValidatorDetails, TransactionNode } from './row.js';

export interface TransactionDetailObjects extends GenesisObjects {
  BlsCredentials: BlsCredentials;
  L1ValidatorDetails: L1ValidatorDetails;
  L1ValidatorManager: NonNullable<TransactionNode['l1ValidatorManagerDetails']>;
  SubnetOwnership: NonNullable<TransactionNode['subnetOwnershipInfo']>;
  BlockchainInfo: NonNullable<TransactionNode['blockchainInfo']>;
}

/** Registers the fields of Transaction that only some transaction types fill, and their types. */
export function registerTransactionDetails(builder: Builder): void {
  registerGenesis(builder);
  registerValidators(builder);
  registerSubnets(builder);
  registerAmounts(builder);
  registerStaking(builder);
  registerTexts(builder);
  registerObjects(builder);
}

function registerValidators(builder: Builder): void {
  builder.objectType('BlsCredentials', {
    description: "A validator's BLS key.",
    fields: (t) => ({
      publicKey: t.exposeString('publicKey', { description: 'Compressed public key, hex with 0x.' }),
      proofOfPossession: t.exposeString('proofOfPossession', {
        description: 'Signature by that key over itself, hex with 0x.',
      }),
    }),
  });

  builder.objectType('L1ValidatorDetails', {
    description: 'What a transaction did to one L1 validator.',
    fields: (t) => ({
      validationId: t.exposeString('validationId', { description: 'Id of the validation period, CB58.' }),
      validationIdHex: t.exposeString('validationIdHex', {
        nullable: true,
        description: 'The same as hex with 0x; null where unknown.',
      }),
      nodeId: t.exposeString('nodeId', { description: 'Node id, NodeID-…' }),
      subnetId: t.exposeString('subnetId', { description: 'Id of the subnet that the L1 was, CB58.' }),
      weight: t.expose('weight', {
        type: 'Long',
        description: 'Weight after the transaction; 0 means removed.',
      }),
      remainingBalance: t.expose('remainingBalance', {
        type: 'Long',
        description: 'Balance after the transaction, nAVAX.',
      }),
      balanceChange: t.expose('balanceChange', {
        type: 'Long',
        nullable: true,
        description:
          'Change of the balance, nAVAX, negative when it was returned; null when it did not change.',
      }),
      blsCredentials: t.field({
        type: 'BlsCredentials',
        nullable: true,
        description: 'BLS key; null where the transaction does not name it.',
        resolve: (validator) => validator.blsCredentials,
      }),
    }),
  });

  builder.objectType('L1ValidatorManager', {
    description: "The contract that manages an L1's validators.",
    fields: (t) => ({
      blockchainId: t.exposeString('blockchainId', {
        description: 'Id of the blockchain that holds the contract, CB58.',
      }),
      contractAddress: t.exposeString('contractAddress', {
        description: 'Address of the contract, hex with 0x.',
      }),
    }),
  });
}

function registerSubnets(builder: Builder): void {
  builder.objectType('SubnetOwnership', {
    description: 'Who owns a subnet.',
    fields: (t) => ({
      locktime: t.expose('locktime', {
        type: 'Long',
        description: 'Unix seconds until which the owners cannot act; 0 for none.',
      }),
      threshold: t.expose('threshold', { type: 'Long', description: 'Number of owners that must sign.' }),
      addresses: t.exposeStringList('addresses', { description: 'Owners, bech32.' }),
    }),
  });

  builder.objectType('BlockchainInfo', {
    description: 'A blockchain that a CreateChainTx made.',
    fields: (t) => ({
      chainName: t.exposeString('chainName', { description: 'Name of the blockchain.' }),
      vmId: t.exposeString('vmId', { description: 'Id of its virtual machine, CB58.' }),
      genesisData: t.field({
        type: 'GenesisData',
        nullable: true,
        description: 'Genesis of an EVM chain; null for another kind of chain, or where unknown.',
        resolve: ({ genesisData }) => (typeof genesisData === 'object' ? genesisData : null),
      }),
      encodedGenesis: t.string({
        nullable: true,
        description:
          'Genesis of a chain that is no EVM, encoded as its own kind defines; null for an EVM, or where unknown.',
        resolve: ({ genesisData }) => (typeof genesisData === 'string' ? genesisData : null),
      }),
    }),
  });
}

function registerAmounts(builder: Builder): void {
  const amounts = {
    value: 'Newly created outputs, summed by asset.',
    amountBurned: 'Inputs minus outputs, by asset: the fee.',
    amountStaked: 'Amounts put at stake, by asset.',
    amountL1ValidatorBalanceBurned: 'Amounts moved to balances of L1 validators, by asset.',
  } as const;
  for (const name of Object.keys(amounts) as (keyof typeof amounts)[]) {
    builder.objectField('Transaction', name, (t) =>
      t.field({
        type: ['AssetAmount'],
        description: amounts[name],
        resolve: (transaction) => transaction[name],
      }),
    );
  }
}

function registerStaking(builder: Builder): void {
  const longs = {
    startTimestamp:
      'Start of the staking period, Unix seconds; null for transactions that are not about staking.',
    endTimestamp:
      'End of the staking period, Unix seconds; null for transactions that are not about staking.',
  } as const;
  for (const name of Object.keys(longs) as (keyof typeof longs)[]) {
    builder.objectField('Transaction', name, (t) =>
      t.expose(name, { type: 'Long', nullable: true, description: longs[name] }),
    );
  }
  builder.objectField('Transaction', 'estimatedReward', (t) =>
    t.expose('estimatedReward', {
      type: 'BigNumber',
      nullable: true,
      description: 'Reward if the validator stays online, nAVAX; null for transactions that do not stake.',
    }),
  );
  builder.objectField('Transaction', 'rewardAddresses', (t) =>
    t.exposeStringList('rewardAddresses', {
      nullable: true,
      description: 'Addresses that receive the reward; null for transactions that do not stake.',
    }),
  );
}

function registerTexts(builder: Builder): void {
  const texts = {
    sourceChain: 'Blockchain id that an import or export takes from; null for others.',
    destinationChain: 'Blockchain id that an import or export goes to; null for others.',
    delegationFeePercent:
      "Share of its delegators' rewards that the validator keeps, percent; null for others.",
    nodeId: 'Node id of the validator, NodeID-…; null for transactions without one.',
    subnetId: 'Id of the subnet, CB58; null for transactions without one.',
    rewardTxHash: 'Hash of the RewardValidatorTx that ended this stake; null where there is none.',
    stakingTxHash: 'Hash of the staking transaction that this one ends; null for others.',
    memo: 'Memo of the transaction, hex with 0x; null where unknown.',
  } as const;
  for (const name of Object.keys(texts) as (keyof typeof texts)[]) {
    builder.objectField('Transaction', name, (t) =>
      t.exposeString(name, { nullable: true, description: texts[name] }),
    );
  }
}

function registerObjects(builder: Builder): void {
  builder.objectFields('Transaction', (t) => ({
    l1ValidatorManagerDetails: t.field({
      type: 'L1ValidatorManager',
      nullable: true,
      description: 'The manager that a ConvertSubnetToL1Tx named; null for others.',
      resolve: (transaction) => transaction.l1ValidatorManagerDetails,
    }),
    l1ValidatorDetails: t.field({
      type: ['L1ValidatorDetails'],
      nullable: true,
      description: 'The L1 validators that the transaction changed; null for transactions that change none.',
      resolve: (transaction) => transaction.l1ValidatorDetails,
    }),
    subnetOwnershipInfo: t.field({
      type: 'SubnetOwnership',
      nullable: true,
      description: 'Owners that the transaction gave a subnet; null for others.',
      resolve: (transaction) => transaction.subnetOwnershipInfo,
    }),
    blsCredentials: t.field({
      type: 'BlsCredentials',
      nullable: true,
      description: "The new validator's BLS key; null for others.",
      resolve: (transaction) => transaction.blsCredentials,
    }),
    blockchainInfo: t.field({
      type: 'BlockchainInfo',
      nullable: true,
      description: 'The blockchain that a CreateChainTx made; null for others.',
      resolve: (transaction) => transaction.blockchainInfo,
    }),
  }));
}
