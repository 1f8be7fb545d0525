import { chainName, type PrimaryChain } from '../src/avalanche/networks.js';
import { firstSecond, linearisation } from './clock.js';
import { evmHashOf, idOf } from './ids.js';

/** Where a transaction was accepted. Before its linearisation the X-chain had no blocks: only a time. */
export interface Block {
  timestamp: number;
  number?: string;
  hash?: string;
  /** How many transactions of it were accepted so far. */
  transactions: number;
}

interface Pace {
  since: number;
  firstNumber: number;
  secondsPerBlock: number;
}

const paces: Readonly<Record<PrimaryChain, Pace>> = {
  p: { since: firstSecond, firstNumber: 0, secondsPerBlock: 11 },
  x: { since: linearisation, firstNumber: 1, secondsPerBlock: 47 },
  c: { since: firstSecond, firstNumber: 47_000_000, secondsPerBlock: 2 },
};

/** The blocks of each chain, opened as time goes on; transactions of the same second share one. */
export class Blocks {
  private readonly current = new Map<PrimaryChain, Block>();

  at(chain: PrimaryChain, timestamp: number): Block {
    const latest = this.current.get(chain);
    if (latest?.timestamp === timestamp) return latest;
    const block = this.open(chain, timestamp, latest);
    this.current.set(chain, block);
    return block;
  }

  private open(chain: PrimaryChain, timestamp: number, previous: Block | undefined): Block {
    const { since, firstNumber, secondsPerBlock } = paces[chain];
    if (timestamp < since) return { timestamp, transactions: 0 };
    const paced = firstNumber + Math.floor((timestamp - since) / secondsPerBlock);
    const number = Math.max(paced, Number(previous?.number ?? -1) + 1);
    return { timestamp, number: number.toString(), hash: blockHashOf(chain, number), transactions: 0 };
  }
}

/** The hash of a block. */
export function blockHashOf(chain: PrimaryChain, number: number): string {
  const description = `${chainName(chain)} block ${number}`;
  return chain === 'c' ? evmHashOf(description) : idOf(description);
}
