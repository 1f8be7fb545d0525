import { jsonText, type JsonField } from '../../storage/json-text.js';

/** The fields of a chain's JSON, over `chain c`. */
export const chainFields: readonly JsonField[] = [
  { name: 'chainId', form: 'plain', sql: 'c.evm_chain_id' },
  { name: 'status', form: 'plain', sql: 'c.status' },
  { name: 'chainName', form: 'text', sql: 'c.chain_name' },
  { name: 'description', form: 'text', sql: 'c.description' },
  { name: 'platformChainId', form: 'text', sql: 'c.platform_chain_id', optional: true },
  { name: 'subnetId', form: 'text', sql: 'c.subnet_id', optional: true },
  { name: 'vmId', form: 'text', sql: 'c.vm_id', optional: true },
  { name: 'vmName', form: 'plain', sql: 'c.vm_name' },
  { name: 'explorerUrl', form: 'text', sql: 'c.explorer_url', optional: true },
  { name: 'rpcUrl', form: 'text', sql: 'c.rpc_url' },
  { name: 'wsUrl', form: 'text', sql: 'c.ws_url', optional: true },
  { name: 'isTestnet', form: 'number', sql: 'c.is_testnet' },
  { name: 'networkToken', form: 'json', sql: 'c.network_token::text' },
  { name: 'chainLogoUri', form: 'text', sql: 'c.chain_logo_uri', optional: true },
  { name: 'private', form: 'number', sql: 'c.private', optional: true },
  {
    name: 'enabledFeatures',
    form: 'json',
    sql: `CASE WHEN c.enabled_features <> '{}' THEN to_json(c.enabled_features)::text END`,
    optional: true,
  },
];

/** The columns of a ChainRow, over `chain c`. */
export const chainColumns = `c.id, c.blockchain_id AS "blockchainId", ${jsonText(chainFields)} AS text`;
