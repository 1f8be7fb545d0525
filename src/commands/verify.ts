import { InvalidArgumentError, type Command } from 'commander';
import type { Stop } from '../stop.js';
import { examples } from './terminal.js';

/** Options of `moraine verify`, as commander gives them. */
export interface VerifyOptions {
  genesis?: string;
  scratch?: string;
  deep?: boolean;
  blocks?: string;
}

export function addVerify(moraine: Command, stop: Stop): void {
  moraine
    .command('verify')
    .summary('prove what is stored: against a node, or against itself')
    .description(
      'Compare what is stored with what it should be, and print a table, and the first differences with both values. With the ' +
        'address of a node, its blocks are followed again into an empty database, and each row that a follower writes is ' +
        'compared; so are the state of stakers at the newest block and the unspent outputs of addresses. Without a node the rows are ' +
        'exported and imported into an empty database, and all tables that an import derives are compared. The exit code is 1 ' +
        'if anything differs or could not be compared. Gaps are named, and are no difference. Nothing is changed. Can run while the gateway serves and the follower works.',
    )
    .argument('[url]', 'address of a node of the network that is stored, or of several, separated by commas')
    .option('--genesis <file>', "the network's genesis file, or its address; FOLLOW_GENESIS when left out")
    .option(
      '--deep',
      'compare all blocks, however many there are: takes as long and as much disk space as following',
    )
    .option(
      '--blocks <count>',
      'without --deep: if a chain has more blocks than this, random ones of each chain are compared; 20000 when left out',
      readCount,
    )
    .option(
      '--scratch <target>',
      "where the rows are made again: a folder, or the address of an empty database, postgresql://…; the system's temporary folder when left out",
    )
    .addHelpText(
      'after',
      examples([
        'moraine verify',
        'moraine verify http://127.0.0.1:9650 --genesis genesis_fuji.json',
        'moraine verify http://127.0.0.1:9650 --deep --scratch /large/disk',
      ]),
    )
    .action(async (urls: string | undefined, options: VerifyOptions) => {
      const { verifyCommand } = await import('./run-verify.js');
      process.exitCode = await verifyCommand(urls, options, stop);
    });
}

function readCount(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text;
  throw new InvalidArgumentError('It is a number of blocks.');
}
