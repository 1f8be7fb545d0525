import { tableOf } from '../harness/table.js';

/** A year of mainnet's C-chain, in blocks and in transactions of a block: docs/mainnet.md. */
const YEAR = { blocks: 26_000_000, transactions: 35 };
/** Requests to a node at the same time, unless FOLLOW_CONCURRENCY says otherwise. */
const AT_ONCE = 32;
/** Milliseconds in which a node traces a block of mainnet: in memory, and an archive node that is cold. */
const TRACES_MS = [47, 1100];
const DAY_S = 86_400;

/** How fast Moraine read the past of the bench. */
export interface Measured {
  /** How it was read, for people. */
  readonly name: string;
  /** Blocks a second. */
  readonly rate: number;
  /** Of all processes of the follower, microseconds a block. */
  readonly processor: number;
}

/**
 * A table of the days that a year of mainnet's C-chain takes, all streams of the bench together. Moraine's
 * part is estimated by transactions: a block of mainnet has more of them than one of the bench. The slower of
 * both sides counts, because a follower reads ahead while it writes.
 *
 * @param transactions of a block of the bench, on average
 */
export function yearOf(measured: readonly Measured[], transactions: number): string {
  const days = (seconds: number) => (seconds / DAY_S).toFixed(1);
  const rows = TRACES_MS.flatMap((traceMs) => {
    const ofNode = (YEAR.blocks * traceMs) / 1000 / AT_ONCE;
    return measured.map(({ name, rate, processor }) => {
      const blocks = (YEAR.blocks * YEAR.transactions) / transactions;
      const own = blocks / rate;
      const ofCore = (blocks * processor) / 1e6;
      const [slower, seconds] = own > ofNode ? ['Moraine', own] : ['the node', ofNode];
      return [`${traceMs} ms`, name, days(ofNode), days(own), days(ofCore), `${days(seconds)}, by ${slower}`];
    });
  });
  return (
    `a year of mainnet's C-chain, estimated for ${YEAR.blocks.toLocaleString('en')} blocks of ${YEAR.transactions} transactions ` +
    `(here ${transactions.toFixed(2)}), ${AT_ONCE} requests at a time\n` +
    tableOf(
      ['a trace takes', 'read in', 'the node, days', 'Moraine, days', 'of one core, days', 'together'],
      rows,
    )
  );
}
