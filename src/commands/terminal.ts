import type { Command } from 'commander';
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

/** Ends the command where one of the options is missing, naming all that are: commander names the first alone. */
export function requireOptions(command: Command, names: readonly string[]): void {
  const given = command.opts<Record<string, unknown>>();
  const missing = command.options.filter(
    (each) => names.includes(each.attributeName()) && given[each.attributeName()] === undefined,
  );
  if (missing.length === 0) return;
  const flags = missing.map(({ flags }) => flags).join(' and ');
  command.error(`error: ${flags} ${missing.length > 1 ? 'are' : 'is'} required`);
}
