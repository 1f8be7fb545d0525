import { callsOf } from '../avalanche/codec/recorded.js';
import type { RecordedNetwork } from './recorded-node.js';

/** A frame as a node's tracer prints it. */
export interface RawFrame {
  type: string;
  from: string;
  to?: string;
  value?: string;
  gas: string;
  gasUsed: string;
  error?: string;
  calls?: RawFrame[];
}

/** A frame with its place in the recording. */
export interface TracedFrame {
  blockNumber: number;
  txHash: string;
  /** Frames of its transaction that were entered before it. */
  position: number;
  frame: RawFrame;
  /** The frames that it is part of, the transaction first. */
  within: RawFrame[];
}

/** Every frame of a recorded C-chain, walked by brute force. */
export function recordedFrames(network: RecordedNetwork): TracedFrame[] {
  const found: TracedFrame[] = [];
  for (const { method, args, result } of callsOf(network, 'c')) {
    if (method !== 'debug_traceBlockByNumber') continue;
    const blockNumber = Number((args as unknown as [string])[0]);
    for (const { txHash, result: root } of result as unknown as { txHash: string; result: RawFrame }[])
      found.push(...framesOfTrace({ blockNumber, txHash }, root));
  }
  return found;
}

/** Every frame of a transaction, walked by brute force. */
export function framesOfTrace(
  position: Pick<TracedFrame, 'blockNumber' | 'txHash'>,
  root: RawFrame,
): TracedFrame[] {
  const found: TracedFrame[] = [];
  const enter = (frame: RawFrame, within: RawFrame[]): void => {
    found.push({ ...position, position: found.length, frame, within });
    for (const call of frame.calls ?? []) enter(call, [...within, frame]);
  };
  enter(root, []);
  return found;
}

/** Whether the specification counts a frame among internal transactions. */
export const isInternal = ({ frame: { type, value = '0x0' }, within }: TracedFrame): boolean =>
  within.length > 0 &&
  (['CREATE', 'CREATE2'].includes(type) || (['CALL', 'CALLCODE'].includes(type) && BigInt(value) > 0n));
