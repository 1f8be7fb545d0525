import { Command, InvalidArgumentError } from 'commander';
import type { ApiKeyRecord } from '../access/key-record.js';
import type { KeyStore } from '../access/key-store.js';
import { knownRights, resolvePlans, type Right } from '../access/plans.js';
import { ConfigError, loadConfig, pastPooler } from '../config.js';
import { printable } from '../errors.js';
import { unlessAborted, type Stop } from '../stop.js';
import { commandLog, examples, requireOptions, tableText } from './terminal.js';

interface CreateOptions {
  plan: string;
  name: string;
  rights?: Right[];
  expires?: Date;
}

/** `moraine keys`: the API keys of this installation. Works while the gateway serves. */
export function keysCommand(stop: Stop): Command {
  const keys = new Command('keys')
    .summary('create, list and revoke API keys')
    .description(
      'Create, list and revoke API keys. A running gateway applies changes within 5 seconds. Keys are stored as hashes: the ' +
        'text of a key is printed once, when it is created.',
    )
    .addHelpText(
      'after',
      examples([
        'moraine keys create --plan free --name "Ada, wallet"',
        'moraine keys create --plan pro --name kiosk --rights none --expires 2027-01-31',
        'moraine keys list',
        'moraine keys revoke 3',
      ]),
    );
  keys
    .command('create')
    .summary('create a key')
    .description('Create a key. Only its text goes to standard output.')
    .usage('--plan <plan> --name <name> [options]')
    .option('--plan <plan>', 'required: plan of the setting PLANS: free, base, growth, pro, …')
    .option('--name <name>', 'required: the owner of the key, shown in the list', readName)
    .option(
      '--rights <rights>',
      `rights of the key, if its plan has them: ${knownRights.join(',')} or none (default: all of the plan)`,
      readRights,
    )
    .option(
      '--expires <time>',
      'day (from its beginning, UTC) or ISO time from which on the key is refused',
      readTime,
    )
    .action((options: Partial<CreateOptions>, command: Command) => {
      requireOptions(command, ['plan', 'name']);
      return createAction(options as CreateOptions, stop);
    });
  keys
    .command('list')
    .summary('list all keys')
    .description('List all keys, including expired and revoked ones, oldest first.')
    .action(() => withKeys(stop, async (store) => process.stdout.write(tableOf(await store.list()))));
  keys
    .command('revoke')
    .summary('revoke a key')
    .description('Revoke a key for good.')
    .argument('<id>', 'its id, as the list shows it', readId)
    .action((id: number) => withKeys(stop, (store) => revokeKey(store, id)));
  return keys;
}

async function createAction({ plan, name, rights, expires }: CreateOptions, stop: Stop): Promise<void> {
  // The plan anonymous is for callers without a key.
  const { names, anonymous } = resolvePlans(loadConfig().PLANS);
  const plans = names.filter((each) => each !== anonymous.name);
  if (!plans.includes(plan))
    throw new ConfigError(`--plan: ${JSON.stringify(plan)} is not a plan; the plans are ${plans.join(', ')}`);
  await withKeys(stop, async (store) => {
    const input = { plan, name, rights: rights ?? null, expiresAt: expires ?? null };
    const { key, record } = await store.create(input);
    process.stderr.write(
      `Key ${record.id} on the plan ${plan}, ${expiryOf(record)}. This is the only time it is shown; send it in the header x-service-api-key.\n`,
    );
    process.stdout.write(`${key}\n`);
  });
}

async function revokeKey(store: KeyStore, id: number): Promise<void> {
  if (await store.revoke(id)) {
    process.stdout.write(`Key ${id} is revoked\n`);
    return;
  }
  const known = (await store.list()).find((each) => each.id === id);
  process.stderr.write(
    known
      ? `moraine: key ${id} was revoked before, at ${known.revokedAt?.toISOString()}\n`
      : `moraine: there is no key ${id}; see moraine keys list\n`,
  );
  process.exitCode = 1;
}

async function withKeys(stop: Stop, work: (store: KeyStore) => Promise<unknown>): Promise<void> {
  // Imported here, so that --help loads neither Prisma nor the settings.
  const [{ openMigrated }, { createKeyStore }] = await Promise.all([
    import('../open-database.js'),
    import('../access/key-store.js'),
  ]);
  const config = pastPooler(loadConfig());
  const log = commandLog(config);
  const storage = await openMigrated(config, log, stop);
  try {
    const store = createKeyStore(storage.prisma, { log, now: Date.now });
    await unlessAborted(stop.asked, work(store));
    await store.close();
  } finally {
    await storage.close();
  }
}

function tableOf(records: readonly ApiKeyRecord[]): string {
  if (records.length === 0) return 'There are no keys yet; see moraine keys create --help\n';
  const rows = [
    ['id', 'plan', 'rights', 'state', 'last used', 'made', 'name'],
    ...records.map((record) => [
      String(record.id),
      record.plan,
      record.rights ? record.rights.join(',') || 'none' : 'all of the plan',
      stateOf(record),
      record.lastUsedAt?.toISOString() ?? 'never',
      record.createdAt.toISOString(),
      printable(record.name),
    ]),
  ];
  return tableText(rows);
}

function stateOf(record: ApiKeyRecord): string {
  if (record.revokedAt) return `revoked ${record.revokedAt.toISOString()}`;
  const expired = record.expiresAt && record.expiresAt.getTime() <= Date.now();
  return expired ? `expired ${record.expiresAt?.toISOString()}` : expiryOf(record);
}

function expiryOf({ expiresAt }: ApiKeyRecord): string {
  return expiresAt ? `valid until ${expiresAt.toISOString()}` : 'valid without an end';
}

function readName(text: string): string {
  const name = text.trim();
  // A control character could rewrite the lines of the list on a terminal.
  if (name === '' || name.length > 200 || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError('It must have 1 to 200 characters, without line breaks.');
  return name;
}

function readRights(text: string): Right[] {
  if (text === 'none') return [];
  const named = text.split(',').map((each) => each.trim());
  const rights = knownRights.filter((right) => named.includes(right));
  if (named.some((each) => !rights.includes(each as Right)))
    throw new InvalidArgumentError(
      `It must be none, or rights separated by commas: ${knownRights.join(', ')}.`,
    );
  return rights;
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\d(T.+(Z|[+-]\d\d:\d\d))?$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError(
      'It must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.',
    );
  if (time.getTime() <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return time;
}

function readId(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a number; see moraine keys list.');
  return Number(text);
}
