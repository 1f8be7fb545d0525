import { boolean, list, object, text, whole, type JsonSchema, type JsonSchemas } from './build.js';

const textKeys = [
  ...['airdropHash', 'coinbase', 'difficulty', 'extraData', 'gasLimit', 'gasUsed', 'mixHash', 'nonce'],
  ...['number', 'parentHash', 'timestamp'],
];
const nullableKeys = ['airdropAmount', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'];
const numberKeys = [
  ...['chainId', 'subnetEVMTimestamp', 'berlinBlock', 'byzantiumBlock', 'constantinopleBlock'],
  ...['eip150Block', 'eip155Block', 'eip158Block', 'homesteadBlock', 'istanbulBlock', 'londonBlock'],
  ...['muirGlacierBlock', 'petersburgBlock'],
];
const feeKeys = [
  ...['baseFeeChangeDenominator', 'blockGasCostStep', 'gasLimit', 'maxBlockGasCost', 'minBaseFee'],
  ...['minBlockGasCost', 'targetBlockRate', 'targetGas'],
];
const allowLists = [
  ...['txAllowListConfig', 'contractDeployerAllowListConfig', 'contractNativeMinterConfig'],
  ...['feeManagerConfig', 'rewardManagerConfig'],
];

const members = (keys: readonly string[], schema: JsonSchema): JsonSchemas =>
  Object.fromEntries(keys.map((key) => [key, schema]));

// What was put into the chain is returned as it was, so a genesis may hold members that nobody described.
const open = (description: string, properties: JsonSchemas): JsonSchema => ({
  type: 'object',
  description,
  properties,
});

const addresses = (description: string) => list(description, { type: 'string' });

const allowList = open('Who may use a feature of the chain.', {
  blockTimestamp: whole('From when it applies, Unix seconds.'),
  adminAddresses: addresses('Addresses that may change the roles.'),
  managerAddresses: addresses('Addresses that may change the enabled ones.'),
  enabledAddresses: addresses('Addresses that may use the feature.'),
});

export const genesisSchemas: JsonSchemas = {
  GenesisData: open('Genesis of an EVM chain. Numbers are hex strings, those within config are numbers.', {
    ...members(textKeys, text('Of the genesis block, as stored.')),
    ...members(nullableKeys, {
      description: 'As stored; may be null.',
      type: ['number', 'string', 'null'],
    }),
    alloc: {
      type: 'object',
      description: 'Accounts at genesis by address.',
      additionalProperties: object(
        'An account.',
        {},
        {
          balance: text('Balance, hex.'),
          code: text('Code, hex.'),
          nonce: text('Nonce, hex.'),
          storage: {
            type: 'object',
            description: 'Storage by slot.',
            additionalProperties: { type: 'string' },
          },
        },
      ),
    },
    config: open('Rules of the chain.', {
      ...members(numberKeys, whole('Chain id, block or timestamp from which a rule applies.')),
      eip150Hash: text('Hash of the block of the eip150 rules.'),
      feeConfig: open('Fees of the chain.', members(feeKeys, whole('A number of the fee rules.'))),
      allowFeeRecipients: boolean('Whether validators receive fees.'),
      warpConfig: open('Messages between chains.', {
        blockTimestamp: whole('From when it applies, Unix seconds.'),
        quorumNumerator: whole('Percentage of stake that must sign.'),
        requirePrimaryNetworkSigners: boolean('Whether the primary network signs.'),
      }),
      ...members(allowLists, allowList),
    }),
  }),
};
