import { toBytea } from '../../avalanche/evm.js';
import { evmScope, type EvmScope } from '../../ingest/check-evm.js';
import { asRowId, type JsonObject } from '../../ingest/check.js';
import type { CopyValue } from '../../ingest/copy.js';
import type { ImportKind } from '../../ingest/kind.js';
import { upsertRows, withIds } from '../../ingest/upsert.js';
import { digestOf, FrameOrdinals, readFrame, type ImportFrame } from './import-row.js';

interface FrameScope extends EvmScope {
  readonly ordinals: FrameOrdinals;
}

/** A frame with what identifies it in its transaction: see the model InternalTx. */
interface PlacedFrame extends ImportFrame {
  position: string;
  tie: string;
  /** The id that it had where it was exported. */
  rowId: string | null;
}

const table = {
  name: 'internal_tx',
  columns: {
    evm_chain_id: 'bigint',
    tx_hash: 'bytea',
    position: 'integer',
    tie: 'bigint',
    block_number: 'bigint',
    block_timestamp: 'bigint',
    block_hash: 'bytea',
    from_address: 'bytea',
    to_address: 'bytea',
    from_party: 'jsonb',
    to_party: 'jsonb',
    type: 'internal_tx_type',
    value: 'numeric(78, 0)',
    is_reverted: 'boolean',
    gas_used: 'numeric(78, 0)',
    gas_limit: 'numeric(78, 0)',
  },
  key: ['evm_chain_id', 'tx_hash', 'position', 'tie'],
};

/** Files of internal transactions of one EVM chain. */
export const internalTxImport: ImportKind<PlacedFrame, FrameScope> = {
  name: 'internal-transactions',
  file: /^evm\.(?<chain>\d+)\.internal-transactions(?:\.|$)/,
  example: 'evm.43114.internal-transactions.ndjson',
  tables: ['internal_tx'],
  scope: (parts) => ({ ...evmScope(parts), ordinals: new FrameOrdinals() }),
  read(value, { ordinals }) {
    const frame = readFrame(value);
    const rowId = asRowId((value as JsonObject).rowId);
    const { position } = frame;
    if (position !== null) return { ...frame, position, tie: '0', rowId };
    const digest = digestOf(frame);
    return { ...frame, position: String(ordinals.next(frame.txHash, digest)), tie: digest.toString(), rowId };
  },
  async write(client, { evmChainId, keepsInstallation }, rows) {
    const { inserted, updated } = await upsertRows(
      client,
      withIds(table, keepsInstallation),
      rows.map((row) => [...valuesOf(evmChainId, row), ...(keepsInstallation ? [row.rowId] : [])]),
    );
    return { written: inserted + updated, unchanged: rows.length - inserted - updated };
  },
};

function valuesOf(evmChainId: string, frame: PlacedFrame): CopyValue[] {
  return [
    evmChainId,
    toBytea(frame.txHash),
    frame.position,
    frame.tie,
    frame.blockNumber,
    frame.blockTimestamp,
    toBytea(frame.blockHash),
    toBytea(frame.from.address),
    toBytea(frame.to.address),
    JSON.stringify(frame.from),
    JSON.stringify(frame.to),
    frame.type,
    frame.value,
    frame.isReverted,
    frame.gasUsed,
    frame.gasLimit,
  ];
}
