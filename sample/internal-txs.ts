import type { InternalTxLine, Party } from '../src/resources/internal-tx/import-row.js';
import { Blocks, type Block } from './blocks.js';
import { firstSecond, lastSecond } from './clock.js';
import { pickAccount, pickContract } from './evm-parties.js';
import { evmAddressOf, evmHashOf } from './ids.js';
import { seededRandom, type Random } from './random.js';

const TRANSACTIONS = 420;
const CREATIONS = ['CREATE', 'CREATE2', 'CREATE3'] as const;

/** Frames of the fuji C-chain that move value or create contracts: only these are ever stored. */
export function* makeInternalTxs(): Iterable<InternalTxLine> {
  const random = seededRandom('internal transactions');
  const blocks = new Blocks();
  for (let serial = 0; serial < TRANSACTIONS; serial++) {
    const share = (serial + 0.9 * random.next()) / TRANSACTIONS;
    const block = blocks.at('c', Math.floor(firstSecond + share * (lastSecond - firstSecond)));
    const txHash = evmHashOf(`internal transaction ${serial}`);
    const isReverted = random.chance(0.06);
    for (let position = random.int(1, 4); position > 0; position--) {
      const frame = makeFrame(random, block, txHash, isReverted);
      yield frame;
      // A contract that pays the same twice makes two frames that differ only in their order.
      if (random.chance(0.03)) yield frame;
    }
  }
}

function makeFrame(random: Random, block: Block, txHash: string, isReverted: boolean): InternalTxLine {
  const gasLimit = random.int(2_300, 900_000);
  const from = pickContract(random);
  const creation = random.chance(0.14) ? random.pick(CREATIONS) : null;
  const value = BigInt(Math.round(10 ** (3 + 12 * random.next()))) * BigInt(random.int(1, 90_000));
  return {
    blockNumber: block.number ?? '0',
    blockTimestamp: block.timestamp,
    blockHash: block.hash ?? '',
    txHash,
    from,
    to: creation ? created(random) : random.chance(0.75) ? pickAccount(random) : pickContract(random),
    internalTxType: creation ?? (random.chance(0.08) ? 'CALLCODE' : 'CALL'),
    // A creation is stored with or without value, a call only with one.
    value: creation && random.chance(0.8) ? '0' : value.toString(),
    isReverted,
    gasUsed: random.int(0, gasLimit).toString(),
    gasLimit: gasLimit.toString(),
  };
}

function created(random: Random): Party {
  return { address: evmAddressOf(`created contract ${random.next()}`) };
}
