import { idOf, readId } from './ids.js';
import { readPTransaction } from './p-transaction.js';
import type { PTransaction } from './p-types.js';
import { readWhole, type ByteReader } from './reader.js';
import { LEAST_TRANSACTION } from './transaction.js';
import type { PBlock, XBlock } from './types.js';
import { readXTransaction } from './x-transaction.js';

const types = ['proposal', 'abort', 'commit', 'standard', 'atomic'] as const;
const FIRST_BANFF = 29;
const X_STANDARD_BLOCK = 20;

/** A P-chain block as platform.getBlockByHeight gives it: types 0 to 4 (Apricot) and 29 to 32 (Banff). */
export function decodePBlock(bytes: Uint8Array): PBlock {
  return readWhole('the block', bytes, (reader) => {
    reader.version('a block');
    const typeId = reader.u32('type of a block');
    const banff = typeId >= FIRST_BANFF;
    const type = types[banff ? typeId - FIRST_BANFF : typeId];
    if (!type || (banff && type === 'atomic'))
      return reader.refuse(`a P-chain block of type 0 to 4 or 29 to 32, not ${typeId}`, 4);
    const time = banff ? reader.seconds('time of a block') : null;
    // A Banff proposal's other transactions stand before its parent and height.
    const decided = banff && type === 'proposal' ? readTransactions(reader) : [];
    const header = {
      id: idOf(bytes),
      bytes,
      era: banff ? 'banff' : 'apricot',
      time,
      ...readPosition(reader),
    } as const;
    if (type === 'proposal')
      return { type, transactions: decided, proposal: readPTransaction(reader), ...header };
    return { type, transactions: readAccepted(reader, type), proposal: null, ...header };
  });
}

function readAccepted(reader: ByteReader, type: (typeof types)[number]): PTransaction[] {
  if (type === 'standard') return readTransactions(reader);
  return type === 'atomic' ? [readPTransaction(reader)] : [];
}

function readTransactions(reader: ByteReader): PTransaction[] {
  return reader.list('transactions', LEAST_TRANSACTION, () => readPTransaction(reader));
}

function readPosition(reader: ByteReader) {
  return { parent: readId(reader, 'parent of a block'), height: reader.u64('height of a block') };
}

/** A block of the linear X-chain as avm.getBlockByHeight gives it. */
export function decodeXBlock(bytes: Uint8Array): XBlock {
  return readWhole('the block', bytes, (reader) => {
    reader.version('a block');
    const type = reader.u32('type of a block');
    if (type !== X_STANDARD_BLOCK)
      return reader.refuse(`an X-chain block of type ${X_STANDARD_BLOCK}, not ${type}`, 4);
    const header = readPosition(reader);
    const time = reader.seconds('time of a block');
    reader.take(32, 'merkle root of a block');
    const transactions = reader.list('transactions', LEAST_TRANSACTION, () => readXTransaction(reader));
    return { id: idOf(bytes), bytes: reader.bytes, ...header, time, transactions };
  });
}
