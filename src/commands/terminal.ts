import { pino, type Logger } from 'pino';
import type { Config } from '../config.js';

/** The log of a command that speaks to a person: beside its own lines only warnings matter. */
export function commandLog({ LOG_LEVEL }: Config): Logger {
  return pino({ level: LOG_LEVEL === 'info' ? 'warn' : LOG_LEVEL }, pino.destination(2));
}

/** What the help of a command ends with. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
