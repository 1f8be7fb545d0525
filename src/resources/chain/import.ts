import { networkOf } from '../../avalanche/networks.js';
import type { Batch } from '../../storage/session.js';
import { isEmptyList, recordReader } from '../../fields/column.js';
import { asBoolean, asObject, asRowId } from '../../rows/check.js';
import type { CopyValue } from '../../storage/copy.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { upsertRows, withIds } from '../../write/upsert.js';
import { addSubnets } from '../subnet/write.js';
import type { NetworkTokenNode } from './columns.js';
import { chainColumns, chainLineFields, type ChainColumns, type ChainNode } from './fields.js';

type OptionalName = 'blockchainId' | 'description' | 'status' | 'vmName';

/** A chain as a line of a file has it: as replies print it, with the ids of its chain. */
export type ChainLine = Omit<ChainNode, 'text' | OptionalName> &
  Partial<Pick<ChainNode, OptionalName>> & {
    /** Read where the line has no `status`. */
    isActive?: boolean;
    /** Read where the line has no `vmName`. */
    isEvm?: boolean;
    rowId?: string;
  };

/** A chain of an import row, or a stored one; null is unknown. */
type ChainRecord = ChainColumns & {
  /** Its id in the installation that exported it. */
  rowId?: string | null;
};

/** What means unknown in columns that are never NULL. */
const whenUnknown: Partial<Record<keyof ChainColumns, CopyValue>> = { description: '', enabled_features: [] };
const names = Object.keys(chainColumns) as (keyof ChainColumns)[];
const table = { name: 'chain', columns: chainColumns, key: ['evm_chain_id'] };
const readColumns = recordReader(chainLineFields);

/** EVM chains. */
export const chainRows: RowKind<ChainRecord> = {
  tables: ['chain'],
  lock: () => null,
  read(value) {
    const row = asObject<ChainLine>(value, 'the line');
    const { status = null, isActive, vmName = null, isEvm, platformChainId, blockchainId } = row;
    const given = {
      ...row,
      status: status ?? (asBoolean(isActive, 'isActive') ? 'OK' : 'UNAVAILABLE'),
      vmName: vmName ?? (isEvm === true ? 'EVM' : null),
      // Two names of one id: replies have the first, most other sources the second.
      platformChainId: platformChainId ?? blockchainId,
      blockchainId: blockchainId ?? platformChainId,
    };
    return { ...readColumns(given, undefined), rowId: asRowId(row.rowId) };
  },
  async write(client, { keepsInstallation }, rows) {
    const chains = await findRecords(
      client,
      rows.map((row) => row.evm_chain_id),
    );
    for (const row of rows) chains.set(row.evm_chain_id, mergeRecords(chains.get(row.evm_chain_id), row));
    const { inserted, updated } = await upsertRows(
      client,
      withIds(table, keepsInstallation),
      [...chains.values()].map((chain) => [
        ...names.map((name) => chain[name] ?? whenUnknown[name] ?? null),
        ...(keepsInstallation ? [chain.rowId ?? null] : []),
      ]),
    );
    const subnets = [...chains.values()].flatMap(({ subnet_id: subnetId, is_testnet: isTestnet }) =>
      subnetId === null ? [] : [{ network: networkOf(isTestnet), subnetId }],
    );
    await addSubnets(client, subnets);
    return { written: inserted + updated, unchanged: rows.length - inserted - updated };
  },
};

export const chainImport: FileKind<ChainRecord> = {
  name: 'chains',
  file: /^evm\.chains(?:\.|$)/,
  example: 'evm.chains.ndjson',
  page: 'chains',
  scope: () => ({}),
  rows: chainRows,
};

/** The chains of these ids that are stored, by id. */
async function findRecords(client: Batch, ids: readonly string[]): Promise<Map<string, ChainRecord>> {
  const values = names.map((name) => (name === 'network_token' ? `${name}::text` : name));
  const { rows } = await client.query<ChainRecord>(
    `SELECT ${values.join(', ')} FROM chain WHERE evm_chain_id = ANY($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.evm_chain_id, row]));
}

/**
 * A value that a row does not have stays as it is: files of different origin know different things of a
 * chain. An empty text or list means unknown too: exports write one if nothing is known.
 */
function mergeRecords(stored: ChainRecord | undefined, given: ChainRecord): ChainRecord {
  const known = Object.entries(given).filter(
    ([, value]) => value !== null && value !== '' && !isEmptyList(value),
  );
  const merged = { ...given, ...stored, ...(Object.fromEntries(known) as Partial<ChainRecord>) };
  if (stored) merged.network_token = mergeTokens(stored.network_token, given.network_token);
  return merged;
}

/** Merges the JSON of a chain's token, unless they are two tokens. */
function mergeTokens(stored: string, given: string): string {
  const [known, said] = [stored, given].map((text) => JSON.parse(text) as NetworkTokenNode) as [
    NetworkTokenNode,
    NetworkTokenNode,
  ];
  return known.symbol === said.symbol ? JSON.stringify({ ...known, ...said }) : given;
}
