import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { isText, openLog } from '../telemetry/log.js';

/**
 * The log of a command that prints what it did, on standard error. People also see what takes long before
 * that, such as migrations; a program that reads JSON sees only warnings.
 */
export function commandLog(config: Config): Logger {
  const { LOG_LEVEL } = config;
  const level = LOG_LEVEL === 'info' && !isText(config, 2) ? 'warn' : LOG_LEVEL;
  return openLog({ ...config, LOG_LEVEL: level }, 2);
}

/** The end of a command's help. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** Ends the command if options are missing, and names all of them: commander names only the first one. */
export function requireOptions(command: Command, names: readonly string[]): void {
  const given = command.opts<Record<string, unknown>>();
  const missing = command.options.filter(
    (each) => names.includes(each.attributeName()) && given[each.attributeName()] === undefined,
  );
  if (missing.length === 0) return;
  const flags = missing.map(({ flags }) => flags).join(' and ');
  command.error(`error: ${flags} ${missing.length > 1 ? 'are' : 'is'} required`);
}

/** Rows of cells as lines with columns. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return rows.map((row) => `${lineOf(row).join('  ').trimEnd()}\n`).join('');
}
