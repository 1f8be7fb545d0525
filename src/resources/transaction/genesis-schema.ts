import type { Builder } from '../../graphql/builder.js';
import type { LongValue } from '../utxo/row.js';
import type { GenesisNode } from './row.js';

const hexFields = {
  airdropHash: 'Hash of the airdrop file.',
  coinbase: 'Address that receives fees.',
  difficulty: 'Difficulty of the genesis block, hex.',
  extraData: 'Free bytes of the genesis block, hex.',
  gasLimit: 'Gas limit of the genesis block, hex.',
  gasUsed: 'Gas used by the genesis block, hex.',
  mixHash: 'Mix hash of the genesis block.',
  nonce: 'Nonce of the genesis block, hex.',
  number: 'Number of the genesis block, hex.',
  parentHash: 'Hash of the parent block: all zero.',
  timestamp: 'Timestamp of the genesis block, Unix seconds in hex.',
} as const;

const nullableFields = {
  airdropAmount: 'Amount that every account of the airdrop receives, as stored: a number or hex.',
  baseFeePerGas: 'Base fee of the genesis block in wei, as stored: a number or hex.',
  blobGasUsed: 'Blob gas used by the genesis block, as stored: a number or hex.',
  excessBlobGas: 'Excess blob gas of the genesis block, as stored: a number or hex.',
} as const;

const ALLOC = 'Accounts at genesis: an object from address to {balance, code, storage}, numbers in hex.';

const configNumbers = {
  chainId: 'EVM chain id.',
  subnetEVMTimestamp: 'From when the rules of Subnet-EVM apply, Unix seconds.',
  berlinBlock: 'First block of the berlin rules.',
  byzantiumBlock: 'First block of the byzantium rules.',
  constantinopleBlock: 'First block of the constantinople rules.',
  eip150Block: 'First block of the eip150 rules.',
  eip155Block: 'First block of the eip155 rules.',
  eip158Block: 'First block of the eip158 rules.',
  homesteadBlock: 'First block of the homestead rules.',
  istanbulBlock: 'First block of the istanbul rules.',
  londonBlock: 'First block of the london rules.',
  muirGlacierBlock: 'First block of the muirGlacier rules.',
  petersburgBlock: 'First block of the petersburg rules.',
} as const;

const feeNumbers = {
  baseFeeChangeDenominator: 'How slowly the base fee adapts.',
  blockGasCostStep: 'Change of the block gas cost for each second off the target rate.',
  gasLimit: 'Gas limit of a block.',
  maxBlockGasCost: 'Highest block gas cost.',
  minBaseFee: 'Lowest base fee, wei.',
  minBlockGasCost: 'Lowest block gas cost.',
  targetBlockRate: 'Wanted time between blocks, seconds.',
  targetGas: 'Wanted gas used in 10 seconds.',
} as const;

const warpNumbers = {
  blockTimestamp: 'From when it applies, Unix seconds.',
  quorumNumerator: 'Percentage of stake that must sign.',
} as const;

const roles = {
  adminAddresses: 'Addresses that may change the roles.',
  managerAddresses: 'Addresses that may change the enabled ones.',
  enabledAddresses: 'Addresses that may use the feature.',
} as const;

const allowLists = {
  txAllowListConfig: 'Who may send transactions.',
  contractDeployerAllowListConfig: 'Who may deploy contracts.',
  contractNativeMinterConfig: 'Who may mint the native token.',
  feeManagerConfig: 'Who may change the fees.',
  rewardManagerConfig: 'Who may change where fees go.',
} as const;

/** What resolvers of the genesis types receive: the stored JSON. */
export interface GenesisObjects {
  GenesisData: GenesisNode;
  GenesisConfig: GenesisNode;
  GenesisFeeConfig: GenesisNode;
  GenesisWarpConfig: GenesisNode;
  GenesisAllowList: GenesisNode;
}

/** Registers the types of an EVM chain's genesis. */
export function registerGenesis(builder: Builder): void {
  builder.objectType('GenesisData', {
    description: 'The genesis of an EVM chain. Every field is null when the genesis does not have it.',
    fields: (t) => ({
      ...fieldsOf(hexFields, (name, description) =>
        t.string({ nullable: true, description, resolve: (genesis) => genesis[name] as string | null }),
      ),
      ...fieldsOf({ ...nullableFields, alloc: ALLOC }, (name, description) =>
        t.field({ type: 'Json', nullable: true, description, resolve: (genesis) => genesis[name] }),
      ),
      config: t.field({
        type: 'GenesisConfig',
        nullable: true,
        description: 'Rules of the chain.',
        resolve: (genesis) => child(genesis, 'config'),
      }),
    }),
  });
  registerConfig(builder);
  registerFees(builder);
  registerPermissions(builder);
}

function registerConfig(builder: Builder): void {
  builder.objectType('GenesisConfig', {
    description: 'Rules of an EVM chain. Every field is null when the genesis does not have it.',
    fields: (t) => ({
      ...fieldsOf(configNumbers, (name, description) =>
        t.field({
          type: 'Long',
          nullable: true,
          description,
          resolve: (config) => config[name] as LongValue | null,
        }),
      ),
      ...fieldsOf(allowLists, (name, description) =>
        t.field({
          type: 'GenesisAllowList',
          nullable: true,
          description,
          resolve: (config) => child(config, name),
        }),
      ),
      eip150Hash: t.string({
        nullable: true,
        description: 'Hash of the block of EIP-150.',
        resolve: (config) => config['eip150Hash'] as string | null,
      }),
      allowFeeRecipients: t.boolean({
        nullable: true,
        description: 'Whether block producers may receive fees.',
        resolve: (config) => config['allowFeeRecipients'] as boolean | null,
      }),
      feeConfig: t.field({
        type: 'GenesisFeeConfig',
        nullable: true,
        description: 'How fees are set.',
        resolve: (config) => child(config, 'feeConfig'),
      }),
      warpConfig: t.field({
        type: 'GenesisWarpConfig',
        nullable: true,
        description: 'Messaging with other chains.',
        resolve: (config) => child(config, 'warpConfig'),
      }),
    }),
  });
}

function registerFees(builder: Builder): void {
  builder.objectType('GenesisFeeConfig', {
    description: 'How an EVM chain sets its fees. Every field is null when the genesis does not have it.',
    fields: (t) =>
      fieldsOf(feeNumbers, (name, description) =>
        t.field({
          type: 'Long',
          nullable: true,
          description,
          resolve: (config) => config[name] as LongValue | null,
        }),
      ),
  });
}

function registerPermissions(builder: Builder): void {
  builder.objectType('GenesisWarpConfig', {
    description: 'Warp messaging of an EVM chain. Every field is null when the genesis does not have it.',
    fields: (t) => ({
      ...fieldsOf(warpNumbers, (name, description) =>
        t.field({
          type: 'Long',
          nullable: true,
          description,
          resolve: (config) => config[name] as LongValue | null,
        }),
      ),
      requirePrimaryNetworkSigners: t.boolean({
        nullable: true,
        description: 'Whether validators of the primary network must sign.',
        resolve: (config) => config['requirePrimaryNetworkSigners'] as boolean | null,
      }),
    }),
  });
  builder.objectType('GenesisAllowList', {
    description: 'Roles of a permissioned feature. A list is null when the genesis does not have it.',
    fields: (t) => ({
      ...fieldsOf(roles, (name, description) =>
        t.stringList({ nullable: true, description, resolve: (config) => config[name] as string[] | null }),
      ),
      blockTimestamp: t.field({
        type: 'Long',
        nullable: true,
        description: 'From when it applies, Unix seconds.',
        resolve: (config) => config['blockTimestamp'] as LongValue | null,
      }),
    }),
  });
}

function fieldsOf<Field>(
  described: Readonly<Record<string, string>>,
  make: (name: string, description: string) => Field,
): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [name, make(name, description)]),
  );
}

function child(parent: GenesisNode, name: string): GenesisNode | null {
  return (parent[name] ?? null) as GenesisNode | null;
}
