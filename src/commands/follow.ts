import { Option, type Command } from 'commander';
import type { SignalledStop } from '../signals.js';
import { examples } from './terminal.js';

/** Options of `moraine follow`, as commander gives them. */
export interface FollowOptions {
  genesis?: string;
  as?: string;
  only?: string;
  from?: string[];
  l1?: string[];
  token?: string[];
  teleporter?: string[];
  archive?: string[];
  again?: string[];
  ranges?: string;
  processes?: string;
  once?: boolean;
  check?: boolean;
  gaps?: boolean;
  /** Set for a process that another one started: `follower` by `serve`, `past-1` … by a follower. */
  process?: string;
}

export function addFollow(moraine: Command, stop: SignalledStop): void {
  moraine
    .command('follow')
    .summary('fill the database from a node, and keep it up to date')
    .description(
      "Read the blocks of a network's node and store what they contain: the P-chain, the X-chain, and the C-chain's " +
        'atomic and internal transactions, NFTs, interchain messages and balances, from the first block to the newest one and then each as it is accepted. It can be stopped at any ' +
        'time and continues where it stopped. Can run while the gateway serves; `serve` runs it by itself if FOLLOW is set. Several ' +
        'followers of one database are safe: one works, the others take over. Blocks that contradict ' +
        'stored ones are not stored: the node that gave them is named and not used any more.',
    )
    .argument(
      '[url]',
      'address of a node, or of several of the same network, separated by commas; FOLLOW when left out',
    )
    .option(
      '--genesis <file>',
      "the network's genesis file, or its address: needed for the P-chain from its first block on",
    )
    .option(
      '--l1 <address...>',
      'the RPC of an EVM chain other than the C-chain to follow too: internal transactions, NFTs, interchain messages and balances; FOLLOW_L1 when left out',
    )
    .option('--as <network>', 'the name under which a network of your own is shown: fuji')
    .option(
      '--only <chains>',
      'only these of p, x-dag, x-vertices, x, c-atomic, internals, logs and balances, separated by commas',
    )
    .option(
      '--from <chain=height...>',
      'begin a chain at a height, or with `now` at the next block; outputs made before then are stored when they are spent. ' +
        'With a day, such as internals=2026-01-01, begin internals, logs or balances at the next block, and read the past down to that day. ' +
        'What was begun already reads the past down to the height or day',
    )
    .option(
      '--token <address...>',
      'contracts of ERC-20, ERC-721 and ERC-1155 tokens, on any of the chains, whose balances are stored by day too; all: every one of ERC-20 and ERC-721',
    )
    .option(
      '--teleporter <address...>',
      'contracts of TeleporterMessenger or TeleporterMessengerV2 whose interchain messages are stored in addition to those at the usual address',
    )
    .option(
      '--archive <chain=folder...>',
      'read the past of an EVM chain from files of SQD in this folder, for example 43114=/data/c-chain, and only the others from nodes',
    )
    .option(
      '--again <chains...>',
      'read these chains again from where they were begun and write their rows over, for example `--again p logs`; rows that are stored stay meanwhile',
    )
    .option(
      '--ranges <count>',
      'read so many ranges of the past of each stream at the same time; FOLLOW_RANGES when left out',
    )
    .option('--processes <count>', 'read them in so many processes; FOLLOW_PROCESSES when left out')
    .option('--once', 'end when every chain has the newest block that was found at the start')
    .option(
      '--check',
      'print which data this node can give, and which of its flags would change that; write nothing',
    )
    .option('--gaps', 'print the blocks of which every node refuses something; no node is asked')
    .addOption(new Option('--process <slot>').hideHelp())
    .addHelpText(
      'after',
      examples([
        'moraine follow http://127.0.0.1:9650 --check',
        'moraine follow http://127.0.0.1:9650 --genesis genesis_mainnet.json',
        'moraine follow http://127.0.0.1:9650 --as fuji --genesis my-network/genesis.json --once',
        'moraine follow http://node-a:9650,http://node-b:9650 --only p,c-atomic --from p=now c-atomic=60000000',
        'moraine follow http://127.0.0.1:9650 --l1 http://127.0.0.1:9650/ext/bc/BLOCKCHAIN_ID/rpc',
        'FOLLOW=http://127.0.0.1:9650 moraine serve',
      ]),
    )
    .action(async (urls: string | undefined, options: FollowOptions) => {
      const { followCommand } = await import('./run-follow.js');
      process.exitCode = await followCommand(urls, options, stop);
    });
}
