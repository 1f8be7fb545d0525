import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';
import { printable, shorten } from '../errors.js';

/** A record as pino writes it, in JSON. */
interface LogRecord {
  level: number;
  /** Milliseconds since 1970. */
  time: number;
  msg?: string;
  err?: unknown;
  [field: string]: unknown;
}

/** An error as pino's serializer writes it. */
interface LoggedError {
  type?: string;
  /** With the messages of its causes. */
  message?: string;
  stack?: string;
  code?: unknown;
  aggregateErrors?: LoggedError[];
}

interface TextStreamOptions {
  /** Where the text ends up; decides about colours, as NO_COLOR does. */
  stream: NodeJS.WriteStream;
  isTerminal: boolean;
}

/** Characters of a line; an error may quote a whole statement. */
const LONGEST_LINE = 4000;
/** Columns of a terminal that does not say how many it has. */
const COLUMNS = 80;

/** How lines of a level begin, by pino's number of it; those of info (30) begin with the message. */
const levels: Readonly<Record<number, { word: string; style: 'dim' | 'yellow' | 'red' }>> = {
  20: { word: 'debug: ', style: 'dim' },
  40: { word: 'warning: ', style: 'yellow' },
  50: { word: 'error: ', style: 'red' },
  60: { word: 'fatal: ', style: 'red' },
};
const ERROR = 50;

/** What a line does not show, or not as a field. */
const hidden = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
/** Records with such a field report one step of many: in a row they share a line of a terminal. */
const stepFields = ['migration', 'index'];

// A line of a terminal is cleared first: the bar of an import may be on it.
const clearLine = '\r\u001b[K';
const lineAbove = '\u001b[A';

/**
 * Takes pino's records and writes each as one line of text: time of day, level if it is not info, message,
 * error with its causes, fields. Whatever a record contains, it cannot begin another line or control the
 * terminal.
 *
 * @param output receives the text
 */
export function textStream(
  output: DestinationStream,
  { stream, isTerminal }: TextStreamOptions,
): DestinationStream {
  let last: { msg?: string | undefined; steps: number } = { steps: 0 };
  return {
    write(json) {
      const record = JSON.parse(json) as LogRecord;
      const { level, msg } = record;
      const isStep = isTerminal && !levels[level] && stepFields.some((field) => field in record);
      const steps = isStep ? (last.msg === msg ? last.steps : 0) + 1 : 0;
      last = { msg, steps };
      // A line that wraps would be two to go up.
      const most = isStep ? (stream.columns || COLUMNS) - 1 : LONGEST_LINE;
      const begin = `${steps > 1 ? lineAbove : ''}${isTerminal ? clearLine : ''}`;
      output.write(`${begin}${lineOf(record, { steps, most, stream })}\n`);
    },
  };
}

function lineOf(
  record: LogRecord,
  { steps, most, stream }: { steps: number; most: number; stream: NodeJS.WriteStream },
): string {
  const clock = new Date(record.time).toTimeString().slice(0, 8);
  const level = levels[record.level];
  const word = level ? styleText(level.style, level.word, { stream }) : '';
  const text = shorten(printable(textOf(record, steps)), most - clock.length - 1);
  return `${styleText('dim', clock, { stream })} ${word}${text}`;
}

function textOf(record: LogRecord, steps: number): string {
  const { level, msg = '', err } = record;
  const fields = Object.entries(record)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => `${name} ${fieldText(value)}`);
  if (steps > 1) fields.unshift(`${steps} so far`);
  // Where a fault of ours is: the whole stack is in the JSON.
  const { stack = '' } = (err ?? {}) as LoggedError;
  const frame = level >= ERROR && /^\s+at (.+)$/m.exec(stack)?.[1];
  if (frame) fields.push(`at ${frame}`);
  const text = err ? `${msg}: ${errorText(err)}` : msg;
  return fields.length > 0 ? `${text} (${fields.join(', ')})` : text;
}

function errorText(error: unknown): string {
  if (typeof error !== 'object') return fieldText(error);
  const { type = 'Error', message = '', code, aggregateErrors = [] } = error as LoggedError;
  // An address that resolves to several has one for each, and no message of its own.
  const words = message || aggregateErrors.map(errorText).join('; ');
  const named = /^(Error|AggregateError)$/.test(type) ? words : `${type}: ${words}`;
  return typeof code === 'string' && !words.includes(code) ? `${named} [${code}]` : named;
}

function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toFixed(1);
  return JSON.stringify(value);
}
