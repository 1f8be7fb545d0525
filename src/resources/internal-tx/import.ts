import { EVM_MAX } from '../../avalanche/evm.js';
import { columnTypes } from '../../fields/column.js';
import { evmScope, type EvmScope } from '../../ingest/check-evm.js';
import type { ImportKind } from '../../ingest/kind.js';
import { upsertRows, withIds } from '../../ingest/upsert.js';
import { arrayText, bareArrayText } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import { internalTxFields } from './fields.js';
import { coverBlocks } from './import-partitions.js';
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
  key: ['evm_chain_id', 'tx_hash', 'position', 'tie', 'block_number'],
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
  scope: (parts) => {
    const scope = scopeOf(parts);
    return { ...scope, onlyChain: scope.evmChainId, ordinals: new FrameOrdinals() };
  },
  read: (value, { ordinals }) => readFrame(value, ordinals),
  async write(client, { evmChainId, keepsInstallation = false }, rows) {
    const frames = lastOfEach(rows);
    const blocks = new Set(frames.map(({ record }) => record.block_number));
    const partitions = new Set(await coverBlocks(client, evmChainId, blocks));
    const moved = await takeMoved(client, evmChainId, frames);
    for (const name of await coverBlocks(client, evmChainId, moved.blocks)) partitions.add(name);
    const keepsIds = keepsInstallation || moved.ids.size > 0;
    const { inserted, updated } = await upsertRows(
      client,
      withIds(table, keepsIds),
      frames.map(({ record, rowId }) => [
        evmChainId,
        ...names.map((name) => record[name]),
        ...(keepsIds ? [moved.ids.get(placeOf(record)) ?? (keepsInstallation ? rowId : null)] : []),
      ]),
    );
    const written = inserted + updated;
    return {
      ...{ written, unchanged: rows.length - written },
      changed: written === 0 ? [] : [...partitions],
    };
  },
};

/** What tells a frame from others of its chain, in whatever block. */
const placeOf = ({ tx_hash, position, tie }: Pick<FrameRecord, 'tx_hash' | 'position' | 'tie'>) =>
  `${tx_hash} ${position} ${tie}`;

function lastOfEach(rows: readonly ImportFrame[]): ImportFrame[] {
  return [...new Map(rows.map((frame) => [placeOf(frame.record), frame])).values()];
}

/** Frames that were held in another block. */
interface Moved {
  /** Their row ids by place, which page tokens name. */
  ids: ReadonlyMap<string, string>;
  /** Where they were: the name of the partition is another one on a worker, so that it is not asked for. */
  blocks: ReadonlySet<string>;
}

/**
 * Takes away what is held of these frames in other blocks, for the key of a partitioned table does not see it. Of a frame
 * without a position the tie says its block: there is no such frame in another one, and none is looked for in all partitions.
 */
async function takeMoved(client: Batch, evmChainId: string, frames: readonly ImportFrame[]): Promise<Moved> {
  const placed = frames.map(({ record }) => record).filter(({ tie }) => tie === '0');
  if (placed.length === 0) return { ids: new Map(), blocks: new Set() };
  const { rows } = await client.query<FrameRecord & { id: string }>(
    `DELETE FROM internal_tx old
     USING unnest($2::bytea[], $3::integer[], $4::bigint[]) AS new(tx_hash, position, block_number)
     WHERE old.evm_chain_id = $1 AND old.tx_hash = new.tx_hash AND old.position = new.position AND old.tie = 0
       AND old.block_number <> new.block_number
     RETURNING '\\x' || encode(old.tx_hash, 'hex') AS tx_hash, old.position::text, old.tie::text, old.id::text,
       old.block_number::text`,
    [
      evmChainId,
      arrayText(placed.map(({ tx_hash }) => tx_hash)),
      bareArrayText(placed.map(({ position }) => position)),
      bareArrayText(placed.map(({ block_number }) => block_number)),
    ],
  );
  return {
    ids: new Map(rows.map((row) => [placeOf(row), row.id])),
    blocks: new Set(rows.map(({ block_number }) => block_number)),
  };
}
