import { boolean, object, text, texts, whole } from '../../fields/field.js';
import type { Detail, Details, Kind } from '../../fields/field.js';
import { objectSchemas } from '../../fields/object-schema.js';
import { nullable, object as closed, ref, text as schemaOf } from '../../fields/json-schema.js';
import type { JsonSchemas } from '../../fields/json-schema.js';

/** The stored JSON of a genesis or of a part of it. */
export type GenesisNode = Record<string, unknown>;

/** Genesis: an object for an EVM chain, an encoded string for another kind. */
export const genesis: Kind<string | GenesisNode> = {
  form: 'json',
  type: 'GenesisData',
  schema: { oneOf: [ref('GenesisData'), { type: 'string' }] },
};

/** A number or hex, as it is in the chain, where it may be null. */
const asStored: Kind<unknown> = {
  form: 'json',
  type: 'Json',
  schema: { oneOf: [nullable({ type: 'number', format: 'double' }), { type: 'string' }] },
};

const account = closed(
  'An account.',
  {},
  {
    balance: schemaOf('Balance, hex.'),
    code: schemaOf('Code, hex.'),
    nonce: schemaOf('Nonce, hex.'),
    storage: { type: 'object', description: 'Storage by slot.', additionalProperties: { type: 'string' } },
  },
);
const accounts: Kind<unknown> = {
  form: 'json',
  type: 'Json',
  schema: { type: 'object', additionalProperties: ref('GenesisAccount') },
};

/** Members of one kind. A genesis need not have any of them; its type says so once for all. */
function all<Name extends string>(kind: Kind<unknown>, described: Record<Name, string>) {
  const entries = Object.entries<string>(described);
  return Object.fromEntries(
    entries.map(([name, description]) => [name, { kind, description, absent: '' }]),
  ) as Record<Name, Detail>;
}

const stored = all(asStored, {
  airdropAmount: 'Amount that every account of the airdrop receives, as stored: a number or hex',
  baseFeePerGas: 'Base fee of the genesis block in wei, as stored: a number or hex',
  blobGasUsed: 'Blob gas used by the genesis block, as stored: a number or hex',
  excessBlobGas: 'Excess blob gas of the genesis block, as stored: a number or hex',
});

/** The members for which null has a meaning. */
export const nullsOfGenesis: ReadonlySet<string> = new Set(Object.keys(stored));

/** The objects of an EVM chain's genesis, by their names in both GraphQL and REST. */
export const genesisObjects = {
  GenesisData: {
    description: 'The genesis of an EVM chain.',
    fields: {
      ...all(text, {
        airdropHash: 'Hash of the airdrop file',
        coinbase: 'Address that receives fees',
        difficulty: 'Difficulty of the genesis block, hex',
        extraData: 'Free bytes of the genesis block, hex',
        gasLimit: 'Gas limit of the genesis block, hex',
        gasUsed: 'Gas used by the genesis block, hex',
        mixHash: 'Mix hash of the genesis block',
        nonce: 'Nonce of the genesis block, hex',
        number: 'Number of the genesis block, hex',
        parentHash: 'Hash of the parent block: all zero',
        timestamp: 'Timestamp of the genesis block, Unix seconds in hex',
      }),
      ...stored,
      ...all(accounts, {
        alloc: 'Accounts at genesis: an object from address to {balance, code, storage}, numbers in hex',
      }),
      ...all(object('GenesisConfig'), { config: 'Rules of the chain' }),
    },
  },
  GenesisConfig: {
    description: 'Rules of an EVM chain.',
    fields: {
      ...all(whole, {
        chainId: 'EVM chain id',
        subnetEVMTimestamp: 'From when the rules of Subnet-EVM apply, Unix seconds',
        berlinBlock: 'First block of the berlin rules',
        byzantiumBlock: 'First block of the byzantium rules',
        constantinopleBlock: 'First block of the constantinople rules',
        eip150Block: 'First block of the eip150 rules',
        eip155Block: 'First block of the eip155 rules',
        eip158Block: 'First block of the eip158 rules',
        homesteadBlock: 'First block of the homestead rules',
        istanbulBlock: 'First block of the istanbul rules',
        londonBlock: 'First block of the london rules',
        muirGlacierBlock: 'First block of the muirGlacier rules',
        petersburgBlock: 'First block of the petersburg rules',
      }),
      ...all(object('GenesisAllowList'), {
        txAllowListConfig: 'Who may send transactions',
        contractDeployerAllowListConfig: 'Who may deploy contracts',
        contractNativeMinterConfig: 'Who may mint the native token',
        feeManagerConfig: 'Who may change the fees',
        rewardManagerConfig: 'Who may change where fees go',
      }),
      ...all(text, { eip150Hash: 'Hash of the block of EIP-150' }),
      ...all(boolean, { allowFeeRecipients: 'Whether block producers may receive fees' }),
      ...all(object('GenesisFeeConfig'), { feeConfig: 'How fees are set' }),
      ...all(object('GenesisWarpConfig'), { warpConfig: 'Messaging with other chains' }),
    },
  },
  GenesisFeeConfig: {
    description: 'How an EVM chain sets its fees.',
    fields: all(whole, {
      baseFeeChangeDenominator: 'How slowly the base fee adapts',
      blockGasCostStep: 'Change of the block gas cost for each second off the target rate',
      gasLimit: 'Gas limit of a block',
      maxBlockGasCost: 'Highest block gas cost',
      minBaseFee: 'Lowest base fee, wei',
      minBlockGasCost: 'Lowest block gas cost',
      targetBlockRate: 'Wanted time between blocks, seconds',
      targetGas: 'Wanted gas used in 10 seconds',
    }),
  },
  GenesisWarpConfig: {
    description: 'Warp messaging of an EVM chain.',
    fields: {
      ...all(whole, {
        blockTimestamp: 'From when it applies, Unix seconds',
        quorumNumerator: 'Percentage of stake that must sign',
      }),
      ...all(boolean, {
        requirePrimaryNetworkSigners: 'Whether validators of the primary network must sign',
      }),
    },
  },
  GenesisAllowList: {
    description: 'Roles of a permissioned feature.',
    fields: {
      ...all(texts, {
        adminAddresses: 'Addresses that may change the roles',
        managerAddresses: 'Addresses that may change the enabled ones',
        enabledAddresses: 'Addresses that may use the feature',
      }),
      ...all(whole, { blockTimestamp: 'From when it applies, Unix seconds' }),
    },
  },
} satisfies Record<string, { description: string; fields: Details }>;

/** The EVM chain id in a genesis; null where there is none. createdEvmChainId is the same in SQL. */
export function evmChainIdIn(data: unknown): bigint | null {
  const { config } = (data ?? {}) as { config?: { chainId?: string | number | bigint } };
  const id = String(config?.chainId);
  return /^\d{1,18}$/.test(id) ? BigInt(id) : null;
}

/** The contents are returned unchanged, so that a genesis may have members that no type describes. */
export const genesisSchemas: JsonSchemas = Object.fromEntries(
  Object.entries({ ...objectSchemas(genesisObjects), GenesisAccount: account }).map(([name, schema]) => [
    name,
    { ...schema, additionalProperties: true },
  ]),
);
