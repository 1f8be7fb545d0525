import type pg from 'pg';
import { EVM_MAX } from '../../avalanche/evm.js';
import {
  asBoolean,
  asDigits,
  asId,
  asList,
  asMember,
  asObject,
  asRowId,
  asText,
  asWhole,
  optional,
  wrong,
} from '../../ingest/check.js';
import type { CopyValue } from '../../ingest/copy.js';
import type { ImportKind, ImportScope } from '../../ingest/kind.js';
import { upsertRows, withIds } from '../../ingest/upsert.js';
import {
  chainFeatures,
  chainStatuses,
  vmNames,
  type ChainStatus,
  type NetworkTokenNode,
  type VmName,
} from './row.js';

const columns = {
  evm_chain_id: 'bigint',
  blockchain_id: 'text',
  status: 'text',
  chain_name: 'text',
  description: 'text',
  platform_chain_id: 'text',
  subnet_id: 'text',
  vm_id: 'text',
  vm_name: 'text',
  explorer_url: 'text',
  rpc_url: 'text',
  ws_url: 'text',
  is_testnet: 'boolean',
  chain_logo_uri: 'text',
  private: 'boolean',
  enabled_features: 'text[]',
  network_token: 'jsonb',
} as const;

type ChainRecord = Record<keyof typeof columns, CopyValue> & {
  /** The id that it had where it was exported. */
  rowId?: string | null;
};

/** What stands for unknown in columns that are never NULL. */
const whenUnknown: Partial<Record<keyof typeof columns, CopyValue>> = {
  description: '',
  enabled_features: [],
};
const names = Object.keys(columns) as (keyof typeof columns)[];
const table = { name: 'chain', columns, key: ['evm_chain_id'] };
const asEvmChainId = asDigits(EVM_MAX);
const asDecimals = asWhole(255n);
const asStatus = asMember(chainStatuses);
const asVmName = asMember(vmNames);
const asFeatures = asList(asMember(chainFeatures));

/** Files of EVM chains. */
export const chainImport: ImportKind<ChainRecord> = {
  name: 'chains',
  file: /^evm\.chains(?:\.|$)/,
  example: 'evm.chains.ndjson',
  tables: ['chain'],
  scope: (): ImportScope => ({ network: null }),
  read: readChain,
  async write(client, { keepsInstallation }, rows) {
    const chains = await findRecords(
      client,
      rows.map((row) => row.evm_chain_id),
    );
    for (const row of rows) {
      const key = String(row.evm_chain_id);
      chains.set(key, mergeRecords(chains.get(key), row));
    }
    const { inserted, updated } = await upsertRows(
      client,
      withIds(table, keepsInstallation),
      [...chains.values()].map((chain) => [
        ...names.map((name) => chain[name] ?? whenUnknown[name] ?? null),
        ...(keepsInstallation ? [chain.rowId ?? null] : []),
      ]),
    );
    return { written: inserted + updated, unchanged: rows.length - inserted - updated };
  },
};

/** The chains of these ids that are held, by id. */
async function findRecords(
  client: pg.ClientBase,
  ids: readonly CopyValue[],
): Promise<Map<string, ChainRecord>> {
  const values = names.map((name) => (name === 'network_token' ? `${name}::text` : name));
  const { rows } = await client.query<ChainRecord>(
    `SELECT ${values.join(', ')} FROM chain WHERE evm_chain_id = ANY($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map((row) => [String(row.evm_chain_id), row]));
}

/** What a row does not say stays as it is known: files of different origin know different things of a chain. */
function mergeRecords(held: ChainRecord | undefined, given: ChainRecord): ChainRecord {
  if (!held) return given;
  const merged = { ...given };
  for (const name of names) merged[name] = given[name] ?? held[name];
  return merged;
}

/** @throws RowError */
function readChain(value: unknown): ChainRecord {
  const row = asObject(value, 'the line');
  const text = (name: string) => optional(asText, row[name], name);
  const blockchainId = optional(asId, row.blockchainId, 'blockchainId');
  return {
    evm_chain_id: asEvmChainId(row.chainId, 'chainId'),
    blockchain_id: blockchainId,
    status: readStatus(row.status, row.isActive),
    chain_name: asText(row.chainName, 'chainName'),
    description: text('description'),
    platform_chain_id: optional(asId, row.platformChainId, 'platformChainId') ?? blockchainId,
    subnet_id: optional(asId, row.subnetId, 'subnetId'),
    vm_id: optional(asId, row.vmId, 'vmId'),
    vm_name: readVmName(row.vmName, row.isEvm),
    explorer_url: text('explorerUrl'),
    rpc_url: asText(row.rpcUrl, 'rpcUrl'),
    ws_url: text('wsUrl'),
    is_testnet: asBoolean(row.isTestnet, 'isTestnet'),
    chain_logo_uri: text('chainLogoUri'),
    private: optional(asBoolean, row.private, 'private'),
    enabled_features: optional(asFeatures, row.enabledFeatures, 'enabledFeatures'),
    network_token: JSON.stringify(readToken(row.networkToken)),
    rowId: asRowId(row.rowId),
  };
}

function readStatus(status: unknown, isActive: unknown): ChainStatus {
  const given = optional(asStatus, status, 'status');
  return given ?? (asBoolean(isActive, 'isActive') ? 'OK' : 'UNAVAILABLE');
}

function readVmName(vmName: unknown, isEvm: unknown): VmName {
  const given = optional(asVmName, vmName, 'vmName');
  if (given) return given;
  if (isEvm === true) return 'EVM';
  throw wrong('vmName', vmName, vmNames.join(' or '));
}

function readToken(value: unknown): NetworkTokenNode {
  const token = asObject(value, 'networkToken');
  const logoUri = optional(asText, token.logoUri, 'networkToken.logoUri');
  const description = optional(asText, token.description, 'networkToken.description');
  return {
    name: asText(token.name, 'networkToken.name'),
    symbol: asText(token.symbol, 'networkToken.symbol'),
    decimals: Number(asDecimals(token.decimals, 'networkToken.decimals')),
    ...(logoUri !== null && { logoUri }),
    ...(description !== null && { description }),
  };
}
