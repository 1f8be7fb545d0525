import { shorten } from '../../errors.js';
import { mintedFor } from './native-minter.js';

/**
 * A frame that is an internal transaction (docs/contract.md, "Internal transactions"). Amounts and gas are in
 * wei and gas units.
 */
export interface Frame {
  readonly type: 'CALL' | 'CALLCODE' | 'CREATE' | 'CREATE2';
  /**
   * Its position in its transaction: a frame is counted before those that it calls, from 0 for the
   * transaction itself.
   */
  readonly position: number;
  /** 0x and 40 hexadecimal digits, of any case. */
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
  /** Whether it failed, or a frame that it is part of. */
  readonly isReverted: boolean;
}

/** The internal transactions of one transaction. */
export interface FramesOfTrace {
  readonly frames: readonly Frame[];
  /** Creations that failed: the tracer does not say which address they would have had. */
  readonly withoutAddress: number;
}

/** What the trace of a transaction says, for every stream that reads it. */
export interface Calls extends FramesOfTrace {
  readonly root: RootFrame;
  /**
   * Callers and callees, created contracts, recipients of minted coins and of destroyed contracts, in lower
   * case, each once. Only their balances change, and that of the fee recipient of the block.
   */
  readonly accounts: ReadonlySet<string>;
  /** The contracts that it creates, in lower case. */
  readonly created: readonly string[];
}

/** A frame of callTracer that is not as it should be. The message is for people. */
export class TraceError extends Error {}

type Members = Record<string, unknown>;

/** A frame as the tracer gives it. */
interface Visit {
  readonly raw: Members;
  readonly type: string;
  /** Whether it failed, or a frame that it is part of. */
  readonly isReverted: boolean;
}

const kept = new Set(['CALL', 'CALLCODE', 'CREATE', 'CREATE2']);
/**
 * All types that an EVM writes. Any other text is refused: it could be a type that is kept, spelt otherwise.
 */
const types = new Set([...kept, 'DELEGATECALL', 'STATICCALL', 'SELFDESTRUCT']);

/**
 * What a transaction called and created. Its internal transactions are, below the transaction itself, each
 * CALL and CALLCODE that moves value, and each creation of a contract.
 *
 * @param trace as callTracer gives it (go-ethereum eth/tracers/native/call.go)
 * @throws TraceError
 */
export function callsOf(trace: unknown): Calls {
  const root = rootOf(trace);
  const frames: Frame[] = [];
  const accounts = new Set<string>();
  const created: string[] = [];
  let withoutAddress = 0;
  let position = -1;
  for (const { raw, type, isReverted } of visitsOf(trace)) {
    position += 1;
    const from = addressOf(raw, 'from');
    accounts.add(from.toLowerCase());
    const creates = type.startsWith('CREATE');
    // Of a creation that failed.
    const to = isAbsent(raw, 'to') ? null : addressOf(raw, 'to');
    if (to === null && creates && !hasFailed(raw))
      throw new TraceError('a creation that succeeded has no to');
    if (to !== null) {
      const callee = to.toLowerCase();
      accounts.add(callee);
      for (const each of mintedFor(callee, raw['input'])) accounts.add(each);
      if (creates && !isReverted) created.push(callee);
    }
    if (position === 0 || !kept.has(type)) continue;
    // Only a STATICCALL has none: a call without it was cut, and may have moved anything.
    const value = quantityOf(raw, 'value');
    if (!creates && value === 0n) continue;
    if (to === null) {
      if (!creates) throw new TraceError('a frame has no to');
      withoutAddress += 1;
      continue;
    }
    const [gasUsed, gasLimit] = [quantityOf(raw, 'gasUsed'), quantityOf(raw, 'gas')];
    frames.push({ type: type as Frame['type'], position, value, isReverted, from, to, gasUsed, gasLimit });
  }
  return { root, frames, withoutAddress, accounts, created };
}

/** The call that a transaction makes, as its trace begins: texts in lower case. */
export interface RootFrame {
  readonly from: string;
  /** Null where it says none. */
  readonly to: string | null;
  readonly creates: boolean;
  readonly value: bigint;
  readonly input: string;
  readonly gasUsed: bigint;
}

/** @throws TraceError */
function rootOf(trace: unknown): RootFrame {
  const raw = membersOf(trace);
  return {
    from: addressOf(raw, 'from').toLowerCase(),
    to: isAbsent(raw, 'to') ? null : addressOf(raw, 'to').toLowerCase(),
    creates: typeOf(raw).startsWith('CREATE'),
    value: quantityOf(raw, 'value'),
    input: isAbsent(raw, 'input') ? '0x' : textOf(raw, 'input').toLowerCase(),
    gasUsed: quantityOf(raw, 'gasUsed'),
  };
}

/**
 * What a transaction did, for comparison: its frames that are internal transactions, without their gas, which
 * versions of nodes count in different ways.
 */
export const effectOf = ({ frames }: FramesOfTrace): string =>
  frames
    .map(({ position, type, from, to, value, isReverted }) =>
      [position, type, from, to, value, isReverted].join(' ').toLowerCase(),
    )
    .join('; ');

/** The frames of a trace, each before those that it called. @throws TraceError */
function* visitsOf(trace: unknown): Generator<Visit> {
  // Not by recursion: a trace is as deep as a node says.
  const visits: { readonly frame: unknown; readonly isWithin: boolean }[] = [
    { frame: trace, isWithin: false },
  ];
  for (let next = visits.pop(); next; next = visits.pop()) {
    const raw = membersOf(next.frame);
    const isReverted = next.isWithin || hasFailed(raw);
    const calls = raw['calls'] ?? [];
    if (!Array.isArray(calls)) throw new TraceError('the calls of a frame are not a list');
    for (const frame of calls.toReversed()) visits.push({ frame, isWithin: isReverted });
    yield { raw, type: typeOf(raw), isReverted };
  }
}

const hasFailed = (raw: Members) => !isAbsent(raw, 'error');
const isAbsent = (raw: Members, name: string) => (raw[name] ?? '') === '';

function membersOf(frame: unknown): Members {
  if (typeof frame === 'object' && frame !== null) return frame as Members;
  throw new TraceError('a frame is not an object');
}

function textOf(frame: Members, name: string): string {
  const value = frame[name];
  if (typeof value === 'string') return value;
  throw new TraceError(`a frame has no ${name}`);
}

function typeOf(frame: Members): string {
  const type = textOf(frame, 'type');
  if (types.has(type)) return type;
  throw new TraceError(`no EVM has frames of the type ${shorten(type, 20)}`);
}

function addressOf(frame: Members, name: string): string {
  const text = textOf(frame, name);
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text;
  throw new TraceError(`${name} of a frame is not an address`);
}

function quantityOf(frame: Members, name: string): bigint {
  const value = frame[name];
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value);
  throw new TraceError(`${name} of a frame is not a number in hexadecimal digits`);
}
