import { gapTable, pipelineTable } from '../state/following.js';
import type { CheckpointTable } from './checkpoint-tables.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * A row of a file of checkpoints as this version has it: the stream `logs` of exports of before is two,
 * `nfts` and `messages`. Both go on where it was; what it counted stays with `nfts`.
 */
export function presentRows(table: CheckpointTable, row: Row): readonly Row[] {
  const { name } = row;
  const isOfStream = table === pipelineTable.name || table === gapTable.name;
  if (!isOfStream || typeof name !== 'string' || !name.startsWith('logs:')) return [row];
  const chain = name.slice('logs:'.length);
  const messages = { ...row, name: `messages:${chain}` };
  const counted =
    table === pipelineTable.name ? { ...messages, memo: null, counters: {}, refused_rows: 0 } : messages;
  return [{ ...row, name: `nfts:${chain}` }, counted];
}
