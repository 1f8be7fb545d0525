import type { Command } from 'commander';
import { parseTrustedProxies } from '../access/client-address.js';
import { resolvePlans } from '../access/plans.js';
import { checkDivided } from '../cluster/settings.js';
import { describeConfig, loadConfig, misspeltSettings, misspeltWarning, type Config } from '../config.js';

/** What other folders have to say about settings, before anything is opened. */
const checks = [
  ({ PLANS }: Partial<Config>) => void resolvePlans(PLANS),
  ({ TRUSTED_PROXIES = [] }: Partial<Config>) => void parseTrustedProxies(TRUSTED_PROXIES),
  checkDivided,
];

/**
 * Runs before a command does anything. It warns of variables that look like misspelt settings, because the
 * environment also belongs to others, and refuses wrong values.
 *
 * @throws ConfigError that names every wrong setting
 */
export function checkSettings(command: Command): void {
  // The primary process has already printed what a process of `serve` would print.
  if (command.opts<{ process?: string }>().process !== undefined) return;
  for (const each of misspeltSettings()) process.stderr.write(`moraine: ${misspeltWarning(each)}\n`);
  // It prints them first.
  if (command.name() !== 'config') loadConfig(undefined, checks);
}

/** `moraine config`. @throws ConfigError that names every wrong setting, once all are printed */
export function configCommand(): void {
  const settings = describeConfig().map(
    (each) => `${each.name}=${each.value}\n    ${each.description} Default: ${each.default}\n`,
  );
  process.stdout.write(settings.join(''));
  loadConfig(undefined, checks);
}
