import type { Command } from 'commander';
import { parseTrustedProxies } from '../access/client-address.js';
import { resolvePlans } from '../access/plans.js';
import { checkDivided } from '../cluster/settings.js';
import { describeConfig, loadConfig, misspeltSettings, toldOfMisspelt, type Config } from '../config.js';

/** What the parts that take settings say of them, before anything is opened. */
const checks = [
  ({ PLANS }: Partial<Config>) => void resolvePlans(PLANS),
  ({ TRUSTED_PROXIES = [] }: Partial<Config>) => void parseTrustedProxies(TRUSTED_PROXIES),
  checkDivided,
];

/**
 * Before a command does anything: what looks like a setting and is none is told, for the environment belongs to others too, and what
 * is wrong is refused.
 *
 * @throws ConfigError that names every wrong setting
 */
export function checkSettings(command: Command): void {
  // A process that `serve` has started says what its primary process has said.
  if (command.opts<{ process?: string }>().process !== undefined) return;
  for (const each of misspeltSettings()) process.stderr.write(`moraine: ${toldOfMisspelt(each)}\n`);
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
