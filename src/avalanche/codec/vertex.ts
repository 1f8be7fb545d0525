import { idOf, readFrequentId, readId } from './ids.js';
import { readWhole } from './reader.js';
import type { Vertex } from './types.js';
import { LEAST_TRANSACTION } from './transaction.js';
import { readXTransaction } from './x-transaction.js';

const STOP_VERTEX_VERSION = 1;

/** A vertex of the X-chain's DAG, as the index of X/vtx gives it. */
export function decodeVertex(bytes: Uint8Array): Vertex {
  return readWhole('the vertex', bytes, (reader) => {
    const version = reader.u16('codec version of a vertex');
    if (version > STOP_VERTEX_VERSION) return reader.refuse('codec version 0 or 1 of a vertex', 2);
    const chainId = readFrequentId(reader, 'chain id of a vertex');
    const height = reader.u64('height of a vertex');
    // The epoch was always 0, and the stop vertex has neither one nor transactions.
    if (version !== STOP_VERTEX_VERSION && reader.u32('epoch of a vertex') !== 0) reader.refuse('epoch 0', 4);
    const parents = reader.list('parents', 32, () => readId(reader, 'parent of a vertex'));
    const transactions =
      version === STOP_VERTEX_VERSION
        ? []
        : reader.list('transactions', LEAST_TRANSACTION, () => {
            const transaction = reader.within('transaction');
            transaction.version('a transaction');
            const read = readXTransaction(transaction);
            transaction.end('the transaction');
            return read;
          });
    return { id: idOf(bytes), version, chainId, height, parents, transactions, bytes: reader.bytes };
  });
}
