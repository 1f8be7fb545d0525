import { EVM_MAX } from '../../avalanche/evm.js';
import { columnTypes } from '../../fields/column.js';
import { evmScope, type EvmScope } from '../../ingest/check-evm.js';
import type { ImportKind } from '../../ingest/kind.js';
import { upsertRows, withIds } from '../../ingest/upsert.js';
import { internalTxFields } from './fields.js';
import { FrameOrdinals, readFrame, type FrameRecord, type ImportFrame } from './import-row.js';

interface FrameScope extends EvmScope<string> {
  readonly ordinals: FrameOrdinals;
}

const columns = {
  ...columnTypes(internalTxFields),
  position: 'integer',
  tie: 'bigint',
  from_address: 'bytea',
  to_address: 'bytea',
  from_party: 'jsonb',
  to_party: 'jsonb',
};
const names = Object.keys(columns) as (keyof FrameRecord)[];
const table = {
  name: 'internal_tx',
  columns: { evm_chain_id: 'bigint', ...columns },
  key: ['evm_chain_id', 'tx_hash', 'position', 'tie'],
};

const scopeOf = evmScope((chain) =>
  /^\d{1,19}$/.test(chain) && BigInt(chain) <= EVM_MAX ? BigInt(chain).toString() : null,
);

/** Files of internal transactions of one EVM chain. */
export const internalTxImport: ImportKind<ImportFrame, FrameScope> = {
  name: 'internal-transactions',
  file: /^evm\.(?<chain>\d+)\.internal-transactions(?:\.|$)/,
  example: 'evm.43114.internal-transactions.ndjson',
  tables: ['internal_tx'],
  scope: (parts) => ({ ...scopeOf(parts), ordinals: new FrameOrdinals() }),
  read: (value, { ordinals }) => readFrame(value, ordinals),
  async write(client, { evmChainId, keepsInstallation }, rows) {
    const { inserted, updated } = await upsertRows(
      client,
      withIds(table, keepsInstallation),
      rows.map(({ record, rowId }) => [
        evmChainId,
        ...names.map((name) => record[name]),
        ...(keepsInstallation ? [rowId] : []),
      ]),
    );
    return { written: inserted + updated, unchanged: rows.length - inserted - updated };
  },
};
