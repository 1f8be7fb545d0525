import type { PrimaryChain } from '../../avalanche/networks.js';
import type { BlockType } from '../../resources/block/fields.js';
import { blockRows } from '../../resources/block/import.js';
import type { PrimaryScope } from '../../write/scope.js';
import type { Block, KindRows } from '../pipeline.js';
import type { CItem } from './c-atomic.js';
import type { PrimaryNetwork } from './network.js';
import type { PItem } from './p-blocks.js';
import type { XItem } from './x.js';

/** Blocks of the P-chain as rows. @param times of each, Unix seconds: before Banff that of the chain */
export const pBlockRows = (network: PrimaryNetwork, items: readonly PItem[], times: readonly number[]) =>
  rowsOf(
    network,
    'p',
    items.map((item, index) => {
      const { type, bytes, transactions, proposal } = item.block;
      const count = transactions.length + (proposal === null ? 0 : 1);
      return rowOf(item, times[index]!, { type, bytes, count, proposer: item.proposer });
    }),
  );

/** Blocks of the X-chain as rows. */
export const xBlockRows = (network: PrimaryNetwork, items: readonly XItem[]) =>
  rowsOf(
    network,
    'x',
    items.map((item) => {
      const { time, bytes, transactions } = item.block;
      const count = transactions.length;
      return rowOf(item, time, { type: 'standard', bytes, count, proposer: item.proposer });
    }),
  );

/** Blocks of the C-chain that have atomic transactions as rows. A node gives no bytes of a whole block. */
export const cBlockRows = (network: PrimaryNetwork, items: readonly CItem[]) =>
  rowsOf(
    network,
    'c',
    items
      .filter(({ transactions }) => transactions.length > 0)
      .map((item) =>
        rowOf(item, item.time, {
          type: null,
          bytes: null,
          count: item.transactions.length,
          proposer: item.proposer,
        }),
      ),
  );

/** What chains say differently. */
interface OwnFacts {
  readonly type: BlockType | null;
  readonly bytes: Uint8Array | null;
  readonly count: number;
  readonly proposer: string | null;
}

const rowOf = ({ height, id, parent }: Block, time: number, own: OwnFacts) => ({
  blockNumber: height.toString(),
  blockHash: id,
  parentHash: parent,
  blockType: own.type,
  blockTimestamp: time,
  blockSizeBytes: own.bytes?.length ?? null,
  txCount: own.count,
  proposerNodeId: own.proposer,
});

function rowsOf({ network }: PrimaryNetwork, chain: PrimaryChain, rows: readonly object[]): KindRows {
  const scope: PrimaryScope = { network, chain };
  return { kind: blockRows, scope, rows };
}
