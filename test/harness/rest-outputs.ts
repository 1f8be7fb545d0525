import type { NodeOutput } from './output-bytes.js';

/** An output as a list of REST shows it. */
export type RestOutput = NodeOutput & { staked: boolean; rewardType?: string };

const own = [
  'asset',
  'utxoType',
  'blockNumber',
  'blockTimestamp',
  'utxoStartTimestamp',
  'utxoEndTimestamp',
  'staked',
  'rewardType',
];

/** What of an output the node tells too. */
export const toldByNodes = (output: RestOutput): Record<string, unknown> =>
  Object.fromEntries(Object.entries(output).filter(([name]) => !own.includes(name)));

export const byId = <T extends { utxoId: string }>(rows: readonly T[]) =>
  rows.toSorted((a, b) => (a.utxoId < b.utxoId ? -1 : 1));
