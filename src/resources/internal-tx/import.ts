import { EVM_MAX } from '../../avalanche/evm.js';
import { evmScope, type EvmScope } from '../../ingest/check-evm.js';
import type { ImportKind } from '../../ingest/kind.js';
import { FrameOrdinals, readFrame, type ImportFrame } from './import-row.js';
import { writeFrames } from './import-store.js';

interface FrameScope extends EvmScope<string> {
  readonly ordinals: FrameOrdinals;
}

const scopeOf = evmScope((chain) =>
  /^\d{1,19}$/.test(chain) && BigInt(chain) <= EVM_MAX ? BigInt(chain).toString() : null,
);

/** Files of internal transactions of one EVM chain. */
export const internalTxImport: ImportKind<ImportFrame, FrameScope> = {
  name: 'internal-transactions',
  file: /^evm\.(?<chain>\d+)\.internal-transactions(?:\.|$)/,
  example: 'evm.43114.internal-transactions.ndjson',
  page: 'transactions',
  tables: ['internal_tx'],
  scope: (parts) => {
    const scope = scopeOf(parts);
    return { ...scope, onlyChain: scope.evmChainId, ordinals: new FrameOrdinals() };
  },
  read: (value, { ordinals }) => readFrame(value, ordinals),
  async write(client, { evmChainId, keepsInstallation = false }, rows) {
    const given = keepsInstallation ? rows : rows.map((row) => ({ ...row, rowId: null }));
    const { count, partitions } = await writeFrames(client, evmChainId, given);
    const written = Math.min(count, rows.length);
    return { written, unchanged: rows.length - written, changed: written === 0 ? [] : [...partitions] };
  },
};
