import fc from 'fast-check';
import { addresses, frameRow, hashAt } from './evm-rows.js';

/** An internal transaction; `tx` and `position` tell it from others. */
export interface Frame {
  block: number;
  tx: number;
  position: number;
  from: string;
  to: string;
}

const party = fc.constantFrom(...addresses.slice(0, 3));
export const frames = fc.uniqueArray(
  fc.record({
    block: fc.integer({ min: 1, max: 4 }),
    tx: fc.integer({ min: 0, max: 300 }),
    position: fc.integer({ min: 0, max: 12 }),
    from: party,
    to: party,
  }),
  { maxLength: 70, selector: ({ tx, position }) => `${tx} ${position}` },
);

/** The value tells rows apart. */
export const valueOf = ({ tx, position }: Frame) => String(1 + tx * 100 + position);

/** An import row of it. */
export const toRow = (frame: Frame) =>
  frameRow({
    blockNumber: String(frame.block),
    txHash: hashAt(frame.tx),
    position: frame.position,
    from: { address: frame.from },
    to: { address: frame.to },
    value: valueOf(frame),
  });

/** Newest block first, then by hash and position. */
export const newestFirst = (a: Frame, b: Frame) =>
  b.block - a.block || b.tx - a.tx || b.position - a.position;
