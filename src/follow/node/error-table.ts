import type { NodeError } from './error.js';
import type { ErrorRow, Failure } from './error-row.js';
import { errorInReply, rpcErrorOf, rpcErrors } from './rpc-errors.js';
import { answerErrors, connectionErrors, httpErrors } from './transport-errors.js';

/**
 * Failures that no words of a node explain; the first that fits counts, and the last of each kind fits
 * always.
 */
const others: readonly ErrorRow[] = [...connectionErrors, ...httpErrors, ...answerErrors];

const names = new Map([...others, ...rpcErrors].map((row) => [row.name, row]));

/** The line of the table for this failure. */
export function rowOf(failure: Failure): ErrorRow {
  const { on, code, text, rpcCode } = failure;
  if (on === 'rpc') return rpcErrorOf(Number(code), text);
  const known = on === 'http' ? errorInReply(rpcCode, text) : null;
  return (
    known ??
    others.find(
      (row) =>
        row.on === on &&
        (row.codes?.includes(code) ?? true) &&
        (row.text?.test(text) ?? true) &&
        (row.path?.test(failure.path) ?? true),
    )!
  );
}

/** Whether the call itself may be why no endpoint answers it: a part of it may be answered. */
export const mayBeCall = ({ failureClass, reason }: NodeError): boolean =>
  failureClass === 'refused' || (reason !== 'not-found' && rowNamed(reason)?.mayBeCall === true);

/** The line with this name, as NodeError.reason has it. */
export function rowNamed(name: string | undefined): ErrorRow | undefined {
  return names.get(name ?? '');
}
