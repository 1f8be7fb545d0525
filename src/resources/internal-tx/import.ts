import { EVM_MAX } from '../../avalanche/evm.js';
import { evmScope } from '../../ingest/scope.js';
import type { EvmScope } from '../../write/scope.js';
import type { RowKind } from '../../write/kind.js';
import type { FileKind } from '../../ingest/kind.js';
import { FrameOrdinals, readFrame, type ImportFrame } from './import-row.js';
import { writeFrames } from './write.js';

/** The scope of rows of one source. */
export interface FrameScope extends EvmScope<string> {
  readonly ordinals: FrameOrdinals;
}

const scopeOf = evmScope((chain) =>
  /^\d{1,19}$/.test(chain) && BigInt(chain) <= EVM_MAX ? BigInt(chain).toString() : null,
);

export const internalTxRows: RowKind<ImportFrame, FrameScope> = {
  tables: ['internal_tx'],
  lock: ({ evmChainId }) => ({ chain: evmChainId }),
  read: (value, { ordinals }) => readFrame(value, ordinals),
  async write(client, { evmChainId, keepsInstallation = false }, rows) {
    const given = keepsInstallation ? rows : rows.map((row) => ({ ...row, rowId: null }));
    const { count, partitions, first } = await writeFrames(client, evmChainId, given);
    const written = Math.min(count, rows.length);
    return {
      written,
      unchanged: rows.length - written,
      changed: written === 0 ? [] : [...partitions],
      first: [first],
    };
  },
};

export const internalTxImport: FileKind<ImportFrame, FrameScope> = {
  name: 'internal-transactions',
  file: /^evm\.(?<chain>\d+)\.internal-transactions(?:\.|$)/,
  example: 'evm.43114.internal-transactions.ndjson',
  page: 'transactions',
  scope: (fields) => {
    const scope = scopeOf(fields);
    return { ...scope, ordinals: new FrameOrdinals() };
  },
  rows: internalTxRows,
};
