import type { ErrorRow, Failure } from './error-row.js';
import { rpcErrors } from './rpc-errors.js';
import { answerErrors, connectionErrors, httpErrors } from './transport-errors.js';

/** Every failure that is known; the first that fits counts, and the last of each kind fits always. */
export const errorTable: readonly ErrorRow[] = [
  ...connectionErrors,
  ...httpErrors,
  ...rpcErrors,
  ...answerErrors,
];

const names = new Map(errorTable.map((row) => [row.name, row]));

/** The line of the table for this failure. */
export function rowOf(failure: Failure): ErrorRow {
  return errorTable.find(
    ({ on, codes, text, path }) =>
      on === failure.on &&
      (codes?.includes(failure.code) ?? true) &&
      (text?.test(failure.text) ?? true) &&
      (path?.test(failure.path) ?? true),
  )!;
}

/** The line with this name, as NodeError.reason has it. */
export function rowNamed(name: string | undefined): ErrorRow | undefined {
  return names.get(name ?? '');
}
