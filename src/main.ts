import { Command } from 'commander';
import { pino, type Logger } from 'pino';
import { keysCommand } from './commands/keys.js';
import { ConfigError, describeConfig, loadConfig, type Config } from './config.js';
import { ExportError } from './export/errors.js';
import { IngestError } from './ingest/errors.js';
import { heedSignals } from './signals.js';
import { Stopped, unlessAborted, type Stop } from './stop.js';
import { adviceOn, StorageError } from './storage/errors.js';

/**
 * The command line. Sets process.exitCode; prints errors for people to standard error. SIGINT and SIGTERM end the
 * process: a service that was asked to end did what it should (0), any other command did not (128 and the signal's
 * number), nor does anything after a second signal.
 *
 * @param argv as in process.argv
 */
export async function main(argv: readonly string[]): Promise<void> {
  const orderly = ['serve', 'worker'].includes(argv[2] ?? '') ? 0 : undefined;
  const end = () => process.exit(stop.exitCode((process.exitCode as number | undefined) ?? orderly));
  const stop = heedSignals(end);
  try {
    await program(stop).parseAsync([...argv]);
  } catch (error) {
    process.stderr.write(`moraine: ${describe(error)}\n`);
    if (!(error instanceof Stopped)) process.exitCode = 1;
  }
  // Work that was given up may still hold a socket or a timer.
  if (stop.asked.aborted) end();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const forPeople = [ConfigError, StorageError, IngestError, ExportError, Stopped];
  if (forPeople.some((type) => error instanceof type)) return error.message;
  return adviceOn(error) ?? error.stack ?? error.message;
}

function program(stop: Stop): Command {
  const moraine = new Command('moraine')
    .description(
      'A data gateway for Avalanche-family chains: REST and one GraphQL graph over data that you hold.',
    )
    .showHelpAfterError('Try --help.')
    .addHelpText(
      'after',
      examples(['moraine serve', 'moraine import mainnet.p-chain.utxos.ndjson.gz', 'moraine config']),
    );
  addServe(moraine, stop);
  addWorker(moraine, stop);
  addDatabase(moraine, stop);
  addImport(moraine, stop);
  addExport(moraine, stop);
  moraine.addCommand(keysCommand(stop));
  addConfig(moraine);
  return moraine;
}

function addServe(moraine: Command, stop: Stop): void {
  moraine
    .command('serve')
    .summary('serve the gateway')
    .description(
      'Open the database, bring it up to date, load the generated sample if it is empty, and serve. Settings come ' +
        'from the environment; `moraine config` lists them.',
    )
    .addHelpText('after', examples(['moraine serve', 'PORT=8080 SAMPLE=off moraine serve']))
    .action(async () => {
      const { serveCommand } = await import('./commands/serve.js');
      await serveCommand(loadConfig(), stop);
    });
}

function addWorker(moraine: Command, stop: Stop): void {
  moraine
    .command('worker')
    .summary('do NFT metadata jobs')
    .description(
      'Do the NFT metadata jobs that gateways on the same database accept, and serve nothing. A gateway does them ' +
        'itself unless WORKER=off.',
    )
    .addHelpText('after', examples(['DATABASE_URL=postgresql://… moraine worker']))
    .action(async () => {
      const { workerCommand } = await import('./commands/worker.js');
      await workerCommand(loadConfig(), stop);
    });
}

function addDatabase(moraine: Command, stop: Stop): void {
  moraine
    .command('migrate')
    .summary('bring the database schema up to date')
    .description('Bring the database schema up to date. `serve` does so by itself unless MIGRATE=off.')
    .action(async () => {
      const config = loadConfig();
      const { openDatabase } = await import('./open-database.js');
      const storage = await openDatabase({ ...config, MIGRATE: 'auto' }, commandLog(config), stop);
      process.stdout.write(`${storage.description} is up to date\n`);
      await storage.close();
    });

  moraine
    .command('sample')
    .summary('load the generated sample chain')
    .description('Load the generated sample chain of the network fuji. Loading it again changes nothing.')
    .action(async () => {
      const config = loadConfig();
      const [{ openStorage }, { loadSample }] = await Promise.all([
        import('./storage/open.js'),
        import('./ingest/load-sample.js'),
      ]);
      const log = commandLog(config);
      const storage = await openStorage(config, log, stop);
      try {
        const { rows, written, seconds } = await unlessAborted(stop.asked, loadSample(storage, log));
        process.stdout.write(`sample: ${rows} rows, ${written} written, ${seconds.toFixed(1)} s\n`);
      } finally {
        await storage.close();
      }
    });
}

function addImport(moraine: Command, stop: Stop): void {
  moraine
    .command('import')
    .summary('import files of chain data')
    .description(
      'Import files of JSON objects, one a line, in the shapes of the API, packed with gzip or not. The name of a ' +
        'file tells what it holds (mainnet.p-chain.utxos.2024.ndjson.gz), or --kind, --network and --chain do. ' +
        'Works while the gateway serves. Importing a file again changes nothing. Lines that cannot be taken in are ' +
        'listed with their reasons, and the exit code is then 1.',
    )
    .argument('<file...>', 'files, imported in this order')
    .option('--kind <kind>', 'what the files hold: utxos, transactions, …')
    .option('--network <network>', 'mainnet or fuji')
    .option('--chain <chain>', 'p, x or c')
    .option('--rejects <file>', 'write every rejected line to this new file, as file:line: reason')
    .option(
      '--with-secrets',
      'take in moraine.installation.ndjson of an export, so that keys and page tokens live on; into an empty database',
    )
    .option('--replace-installation', 'with it: even where a gateway has run on the empty database already')
    .addHelpText(
      'after',
      examples([
        'moraine import mainnet.p-chain.utxos.ndjson.gz mainnet.p-chain.transactions.ndjson.gz',
        'moraine import --rejects rejected.txt fuji.*.ndjson.gz',
        'moraine import --kind utxos --network mainnet --chain x outputs.ndjson',
        'moraine import --with-secrets backup/*.ndjson*',
      ]),
    )
    .action(async (files: string[], options: Record<string, string>) => {
      const { importCommand } = await import('./commands/import.js');
      process.exitCode = await importCommand(files, options, commandLog(loadConfig()), stop);
    });
}

function addExport(moraine: Command, stop: Stop): void {
  moraine
    .command('export')
    .summary('write what is held to files that import reads')
    .description(
      'Write what the database holds at one moment, as the files that `import` reads: one for each network, chain ' +
        'and kind, packed with gzip. Works while the gateway serves, and on a read-only standby. The files appear in ' +
        'the folder together when all are whole; none that holds something is overwritten. Rows stand in the same ' +
        'order on every installation, so that equal data make equal files. What an import works out by itself ' +
        '(balances, lists of addresses) is not in them, nor are metadata jobs under way.',
    )
    .argument('<folder>', 'where the files go; made when it is not there')
    .option('--network <network...>', 'only these networks: mainnet, fuji')
    .option('--chain <chain...>', 'only these chains, of p, x, c and EVM chain ids')
    .option('--kind <kind...>', 'only these kinds: utxos, transactions, …')
    .option('--since <time>', 'only what happened at or after this day (UTC) or ISO time')
    .option('--until <time>', 'only what happened before it; chains, assets and NFTs are always whole')
    .option('--no-gzip', 'plain files')
    .option(
      '--with-secrets',
      "the installation's secret, key hashes and row ids too, so that clients' keys and page tokens live on elsewhere",
    )
    .addHelpText(
      'after',
      examples([
        'moraine export backup/2026-11-22',
        'moraine export --network mainnet --chain p x --since 2026-01-01 p-and-x-of-2026',
        'DATA_DIR=./data moraine export --with-secrets moving && DATABASE_URL=postgresql://… moraine import --with-secrets moving/*',
      ]),
    )
    .action(async (folder: string, options: Record<string, string[]>) => {
      const { exportCommand } = await import('./commands/export.js');
      process.exitCode = await exportCommand(folder, options, commandLog(loadConfig()), stop);
    });
}

function addConfig(moraine: Command): void {
  moraine
    .command('config')
    .summary('print every setting')
    .description('Print every setting of the environment: its meaning, default and present value.')
    .action(() => {
      const settings = describeConfig().map(
        (each) => `${each.name}=${each.value}\n    ${each.description} Default: ${each.default}\n`,
      );
      process.stdout.write(settings.join(''));
    });
}

// A command speaks to a person; beside its own lines only warnings matter.
function commandLog({ LOG_LEVEL }: Config): Logger {
  return pino({ level: LOG_LEVEL === 'info' ? 'warn' : LOG_LEVEL }, pino.destination(2));
}

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
