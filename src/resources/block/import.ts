import { recordReader } from '../../fields/column.js';
import type { FileKind } from '../../ingest/kind.js';
import { primaryScope } from '../../ingest/scope.js';
import { asObject } from '../../rows/check.js';
import type { RowKind } from '../../write/kind.js';
import type { PrimaryScope } from '../../write/scope.js';
import { blockFields, type BlockNode, type BlockRecord } from './fields.js';
import { writeBlocks } from './write.js';

/** A block as a line of a file has it. */
export type BlockLine = Omit<BlockNode, 'network' | 'chain'>;

const readColumns = recordReader(blockFields);

/** Blocks of one chain. */
export const blockRows: RowKind<BlockRecord, PrimaryScope> = {
  tables: ['block'],
  indexedLate: ['block'],
  lock: ({ network }) => network,
  read: (value) => readColumns(asObject<BlockLine>(value, 'the line'), undefined),
  async write(client, scope, rows) {
    const { written, first } = await writeBlocks(client, scope, rows);
    return { written, unchanged: rows.length - written, first: [first] };
  },
};

/** Files of blocks of one chain. */
export const blockImport: FileKind<BlockRecord, PrimaryScope> = {
  name: 'blocks',
  file: /^(?<network>[a-z]+)\.(?<chain>[pxc])-chain\.blocks(?:\.|$)/,
  example: 'mainnet.p-chain.blocks.ndjson',
  scope: primaryScope,
  rows: blockRows,
};
