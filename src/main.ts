import { Command, Option } from 'commander';
import { addFollow } from './commands/follow.js';
import { addVerify } from './commands/verify.js';
import { addDistribute, addExport, addImport, addRebuild } from './commands/data.js';
import { commandLog, examples } from './commands/terminal.js';
import { hooksCommand } from './commands/hooks.js';
import { keysCommand } from './commands/keys.js';
import { ConfigError, loadConfig, pastPooler } from './config.js';
import { ProcessesError } from './cluster/error.js';
import { AppError } from './errors.js';
import { ExportError } from './export/errors.js';
import { FollowError, PipelineStopped } from './follow/errors.js';
import { NodeError } from './follow/node/error.js';
import { IngestError } from './ingest/errors.js';
import { checkGraphql, PackageError, version } from './package.js';
import { handleSignals, OutputClosed, type SignalledStop } from './signals.js';
import { Stopped, unlessAborted, type Stop } from './stop.js';
import { adviceOn, StorageError } from './storage/errors.js';
import { VerifyError } from './verify/error.js';

/**
 * The command line. Sets process.exitCode; prints errors for people to standard error. SIGINT, SIGTERM and
 * SIGHUP end the process: a service that was asked to end did what it should (0); any other command did not
 * (128 and the signal's number), and nothing does after a second signal.
 *
 * @param argv as in process.argv
 */
export async function main(argv: readonly string[]): Promise<void> {
  const orderly = isService(argv) ? 0 : undefined;
  const end = () => process.exit(stop.exitCode((process.exitCode as number | undefined) ?? orderly));
  const stop = handleSignals(end);
  try {
    await program(stop).parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof OutputClosed)) process.stderr.write(`moraine: ${describe(error)}\n`);
    if (!(error instanceof Stopped)) process.exitCode = 1;
  }
  // Work that was given up may still have a socket or a timer open.
  if (stop.asked.aborted) end();
}

/** Whether a command runs until it is asked to end. */
function isService([, , command = '', ...options]: readonly string[]): boolean {
  const ends = options.some((option) => option === '--once' || option === '--check');
  return ['serve', 'worker'].includes(command) || (command === 'follow' && !ends);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const forPeople = [
    ConfigError,
    StorageError,
    PackageError,
    ProcessesError,
    IngestError,
    ExportError,
    AppError,
    NodeError,
    FollowError,
    PipelineStopped,
    VerifyError,
    Stopped,
  ];
  if (forPeople.some((type) => error instanceof type)) return error.message;
  return adviceOn(error) ?? error.stack ?? error.message;
}

function program(stop: SignalledStop): Command {
  const moraine = new Command('moraine')
    .description(
      'A data gateway for Avalanche-family chains: REST and one GraphQL graph over your own copy of the data.',
    )
    .version(version, '-V, --version', 'print the version')
    .hook('preAction', checkGraphql)
    // Only after graphql is known to be fit, because the limits of plans import it.
    .hook('preAction', async (_moraine, command) =>
      (await import('./commands/settings.js')).checkSettings(command),
    )
    .showHelpAfterError('Try --help.')
    .addHelpText(
      'after',
      examples([
        'moraine serve',
        'moraine follow http://127.0.0.1:9650',
        'moraine import mainnet.p-chain.utxos.ndjson.gz',
        'moraine config',
      ]),
    );
  addServe(moraine, stop);
  addWorker(moraine, stop);
  addDatabase(moraine, stop);
  addFollow(moraine, stop);
  addImport(moraine, stop);
  addExport(moraine, stop);
  addRebuild(moraine, stop);
  addVerify(moraine, stop);
  addDistribute(moraine, stop);
  moraine.addCommand(keysCommand(stop));
  moraine.addCommand(hooksCommand(stop));
  addConfig(moraine);
  return moraine;
}

function addServe(moraine: Command, stop: SignalledStop): void {
  moraine
    .command('serve')
    .summary('serve the gateway')
    .description(
      'Open the database, bring it up to date, load the generated sample if the database is empty, and serve. Settings come ' +
        'from the environment; `moraine config` lists them.',
    )
    .addHelpText('after', examples(['moraine serve', 'PORT=8080 SAMPLE=off moraine serve']))
    .addOption(new Option('--process <slot>').hideHelp())
    .action(async ({ process: slot }: { process?: string }) => {
      const config = loadConfig();
      if (slot === undefined && config.PROCESSES === 1) {
        const { serveCommand } = await import('./commands/serve.js');
        return serveCommand(config, stop);
      }
      const { serveAsProcess, serveProcesses } = await import('./commands/serve-processes.js');
      await (slot === undefined ? serveProcesses(config, stop) : serveAsProcess(slot, config, stop));
    });
}

function addWorker(moraine: Command, stop: Stop): void {
  moraine
    .command('worker')
    .summary('process NFT metadata jobs, and send events of webhooks')
    .description(
      'Process the NFT metadata jobs that gateways on the same database accept, and send the events of webhooks, without serving ' +
        'requests. A gateway does so itself unless WORKER=off.',
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
      const config = pastPooler(loadConfig());
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
      const config = pastPooler(loadConfig());
      const [{ openMigrated }, { loadSample }] = await Promise.all([
        import('./open-database.js'),
        import('./load-sample.js'),
      ]);
      const log = commandLog(config);
      const storage = await openMigrated(config, log, stop);
      try {
        const { rows, written, seconds } = await unlessAborted(stop.asked, loadSample(storage, log));
        process.stdout.write(`sample: ${rows} rows, ${written} written, ${seconds.toFixed(1)} s\n`);
      } finally {
        await storage.close();
      }
    });
}

function addConfig(moraine: Command): void {
  moraine
    .command('config')
    .summary('print every setting')
    .description(
      'Print every setting of the environment with its meaning, default and present value, then the settings that are wrong; the exit code is 1 if there are any.',
    )
    .action(async () => (await import('./commands/settings.js')).configCommand());
}
