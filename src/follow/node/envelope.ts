import { messageOf } from '../../errors.js';
import { JsonBounds } from '../../json-bounds.js';
import { parseJson, printJson } from '../../json.js';
import { Failed, wrongAnswer } from './failed.js';
import type { Reply } from './post.js';

/** A JSON-RPC call, without its number. */
export interface RpcCall {
  readonly method: string;
  readonly params: unknown;
}

/**
 * Members of an answer, and how deep they are: an empty list takes 3 bytes in a body, and 32 in memory. The
 * traces of a block of mainnet have some hundred thousand, nested 2,048 deep at most.
 */
const MOST = { members: 2_000_000, depth: 5_000 };
/** Members of a shorter body are not counted: they take no more memory than a long answer does. */
const COUNTED_BYTES = 1024 ** 2;

/** How much of a body that is no JSON is read for what it says, characters. */
const READ_CHARACTERS = 4_000;

export function printCall(id: number, { method, params }: RpcCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** The numbers of a batch are `first`, `first + 1`, … */
export function printBatch(first: number, calls: readonly RpcCall[]): string {
  return `[${calls.map((call, index) => printCall(first + index, call)).join()}]`;
}

/** The result of one call; numbers beyond 2^53 are bigint. @throws Failed */
export function readResult(path: string, reply: Reply, id: number): unknown {
  return resultOf(path, readJson(path, reply), id);
}

/**
 * The results of a batch, in its order. The first call that failed fails it.
 *
 * @throws Failed
 */
export function readResults(path: string, reply: Reply, first: number, count: number): unknown[] {
  const answers = readJson(path, reply);
  // A batch that is refused as a whole has one answer, an error without a number.
  if (!Array.isArray(answers)) throw wholeRefusal(path, answers);
  const byId = new Map(answers.map((answer: unknown) => [membersOf(answer)['id'], answer]));
  const isOfOneCall = answers.some((answer: unknown) => membersOf(answer)['result'] !== undefined);
  return Array.from({ length: count }, (_, index) =>
    resultOf(path, byId.get(first + index), first + index, isOfOneCall),
  );
}

function readJson(path: string, { status, body, retryAfterMs }: Reply): unknown {
  if (status !== 200) {
    const text = body.toString('utf8', 0, READ_CHARACTERS);
    const said = errorIn(text);
    throw new Failed({
      on: 'http',
      path,
      code: status,
      text: said?.text ?? text,
      ...(said && { rpcCode: said.code }),
      ...(retryAfterMs && { retryAfterMs }),
    });
  }
  if (body.length > COUNTED_BYTES) checkMembers(path, body);
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    throw wrongAnswer(path, 'not-json', body.toString('utf8', 0, READ_CHARACTERS));
  }
}

/** @throws Failed */
function checkMembers(path: string, body: Buffer): void {
  try {
    new JsonBounds(MOST).read(body);
  } catch (error) {
    throw wrongAnswer(path, 'too-large', messageOf(error));
  }
}

function resultOf(path: string, answer: unknown, id: number, isOfOneCall = false): unknown {
  if (typeof answer !== 'object' || answer === null) throw wrongAnswer(path, 'no-answer', 'no answer');
  const { error, result, id: theirs } = membersOf(answer);
  if (error !== undefined && error !== null) throw nodeError(path, error, isOfOneCall);
  if (theirs !== id) throw wrongAnswer(path, 'other-id', 'the answer to another call');
  if (result === undefined) throw wrongAnswer(path, 'no-result', 'no result');
  return result;
}

function wholeRefusal(path: string, answer: unknown): Failed {
  const { error } = membersOf(answer);
  return error ? nodeError(path, error) : wrongAnswer(path, 'no-answer', 'one answer to a batch');
}

function nodeError(path: string, error: unknown, isOfOneCall = false): Failed {
  return new Failed({ on: 'rpc', path, code: codeOf(error), text: textOfError(error), isOfOneCall });
}

/** The first JSON-RPC error of a text; null for none. */
function errorIn(text: string): { readonly code: number; readonly text: string } | null {
  try {
    const { error } = membersOf([parseJson(text)].flat()[0]);
    return error ? { code: codeOf(error), text: textOfError(error) } : null;
  } catch {
    // A page, or the beginning of a long text.
    return null;
  }
}

function codeOf(error: unknown): number {
  const { code } = membersOf(error);
  return typeof code === 'number' ? code : 0;
}

/** What an error of a node says, whatever its shape. */
export function textOfError(error: unknown): string {
  const { message } = membersOf(error);
  if (typeof message === 'string') return message;
  return typeof error === 'string' ? error : printJson(error).slice(0, READ_CHARACTERS);
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
