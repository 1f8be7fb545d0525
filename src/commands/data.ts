import type { Command } from 'commander';
import { loadConfig } from '../config.js';
import type { Stop } from '../stop.js';
import { commandLog, examples } from './terminal.js';

export function addImport(moraine: Command, stop: Stop): void {
  moraine
    .command('import')
    .summary('import files of chain data')
    .description(
      'Import files of JSON objects, one a line, in the shapes of the API, gzipped or not. The name of a ' +
        'file says what it contains (mainnet.p-chain.utxos.2024.ndjson.gz), or --kind, --network and --chain do. ' +
        'Can run while the gateway serves. Importing a file again changes nothing. Lines that cannot be imported are ' +
        'listed with their reasons, and the exit code is then 1. All files of an export that has ' +
        'moraine.checkpoints.ndjson go into an empty database, and `moraine follow` goes on there at the next block.',
    )
    .argument('<file...>', 'files, imported in this order')
    .option('--kind <kind>', 'what the files contain: utxos, transactions, …')
    .option('--network <network>', 'mainnet or fuji')
    .option('--chain <chain>', 'p, x or c')
    .option('--rejects <file>', 'write every rejected line to this new file, as file:line: reason')
    .option(
      '--with-secrets',
      'import moraine.installation.ndjson of an export, so that keys and page tokens stay valid; needs an empty database',
    )
    .option(
      '--replace-installation',
      'with --with-secrets: also if a gateway has already run on the empty database',
    )
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
      const { importCommand } = await import('./import.js');
      process.exitCode = await importCommand(files, options, commandLog(loadConfig()), stop);
    });
}

export function addExport(moraine: Command, stop: Stop): void {
  moraine
    .command('export')
    .summary('write the data to files that import reads')
    .description(
      'Write a snapshot of the database to files that `import` reads: one for each network, chain ' +
        'and kind, packed with gzip. Can run while the gateway serves, and on a read-only standby. All files appear in ' +
        'the folder together when all are complete; a file that is not empty is never overwritten. Rows are in the same ' +
        'order on every installation, so that equal data make equal files. Where a node is followed, ' +
        'moraine.checkpoints.ndjson says which network it is and, if no option leaves anything out, lets following go on ' +
        'after an import. Data that an import derives ' +
        '(balances, lists of addresses) and running metadata jobs are not exported.',
    )
    .argument('<folder>', 'where the files go; created if it does not exist')
    .option('--network <network...>', 'only these networks: mainnet, fuji')
    .option('--chain <chain...>', 'only these chains, of p, x, c and EVM chain ids')
    .option('--kind <kind...>', 'only these kinds: utxos, transactions, …')
    .option('--since <time>', 'only what happened at or after this day (UTC) or ISO time')
    .option(
      '--until <time>',
      'only what happened before it; chains, assets and NFTs are always exported in full',
    )
    .option('--no-gzip', 'plain files')
    .option(
      '--with-secrets',
      "also the installation's secret, key hashes, webhooks and row ids, so that clients' keys and page tokens are valid elsewhere too",
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
      const { exportCommand } = await import('./export.js');
      process.exitCode = await exportCommand(folder, options, commandLog(loadConfig()), stop);
    });
}

export function addRebuild(moraine: Command, stop: Stop): void {
  moraine
    .command('rebuild')
    .summary('compute derived tables anew from the rows that they are derived from')
    .description(
      'Compute tables that imports keep up to date (balances, daily changes, holdings, owners of outputs, numbers by day) anew from ' +
        'all rows, and correct the rows that differ; rows that are right are not touched. Needed after an upgrade whose ' +
        'notes say so, or when --check finds a difference. Can run while the gateway serves: readers see the old rows ' +
        'until all are corrected at once; imports wait. If it is interrupted, nothing was changed: run it again. It needs ' +
        'about as much free disk space as the tables take.',
    )
    .argument(
      '[table...]',
      'active_address_day, address_balance, address_day, address_holding, message_day, stake_day, transaction_day or utxo_owner; without any, all of them',
    )
    .option('--check', 'print what differs without changing anything; the exit code is 1 if anything does')
    .addHelpText(
      'after',
      examples(['moraine rebuild --check', 'moraine rebuild address_balance address_day', 'moraine rebuild']),
    )
    .action(async (tables: string[], options: { check?: boolean }) => {
      const { rebuildCommand } = await import('./rebuild.js');
      process.exitCode = await rebuildCommand(tables, options, commandLog(loadConfig()), stop);
    });
}

export function addDistribute(moraine: Command, stop: Stop): void {
  moraine
    .command('distribute')
    .summary('move the tables that outgrow a machine to workers of Citus')
    .description(
      'Move internal transactions, and EVM balances with their addresses, to workers of Citus, each whole on one worker; ' +
        'everything else stays on the coordinator, which DATABASE_URL names. Can run while the gateway serves: reads go on, ' +
        'imports of these tables wait. A group of tables is moved in one transaction, so that an interrupted move has moved ' +
        'it or not; run the command again to continue. If all are moved already it changes nothing. docs/scaling.md says when it is ' +
        'worth it, what it costs and the way back.',
    )
    .option('--check', 'print where each table is and which would be moved, without changing anything')
    .addHelpText(
      'after',
      examples([
        'DATABASE_URL=postgresql://… moraine distribute --check',
        'DATABASE_URL=postgresql://… moraine distribute',
        'psql -c "SELECT * FROM citus_tables" postgresql://…   # where they are now',
      ]),
    )
    .action(async (options: { check?: boolean }) => {
      const { distributeCommand } = await import('./distribute.js');
      await distributeCommand(options, commandLog(loadConfig()), stop);
    });
}
