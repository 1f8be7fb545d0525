import { z } from 'zod';
import { count, list, oneOf, optional, processes, setting, text, url, wholeNumber } from './setting.js';

/**
 * The streams of EVM chains: `internals` are the internal transactions, `nfts` and `messages` what logs say
 * of NFTs and of interchain messages, `balances` what addresses hold on each day.
 */
export const evmStreams = ['internals', 'nfts', 'messages', 'balances'] as const;
/**
 * The streams of blocks that can be followed; `x-dag` and `x-vertices` are the transactions and the vertices
 * of the X-chain before it had blocks.
 */
export const streamNames = ['p', 'x-dag', 'x-vertices', 'x', 'c-atomic', ...evmStreams] as const;
export type StreamName = (typeof streamNames)[number];

export type EvmStream = (typeof evmStreams)[number];
/** A stream of one EVM chain, with the EVM chain id. */
export type EvmPipelineName = `${EvmStream}:${bigint}`;

/** The streams that were one of this name before, which may be given for both. */
const formerStreams: ReadonlyMap<string, readonly EvmStream[]> = new Map([['logs', ['nfts', 'messages']]]);

/** The streams that a name stands for; none for a name that is none. */
export const streamsNamed = (name: string): readonly StreamName[] =>
  formerStreams.get(name) ?? streamNames.filter((each) => each === name);

/** The newest blocks first, and then the past down to this time. */
export interface PastGoal {
  /** Unix seconds. */
  readonly since: number;
}
/** Where a stream begins: at a height, at the next block, or at the next block and then backward. */
export type Start = bigint | 'now' | PastGoal;

const listed = streamNames.join(', ');
/** Contracts whose tokens can be followed, and whose messages. */
const MOST_TOKENS = 1000;
const MOST_MESSENGERS = 100;
/** Each takes a connection to the database and some MiB. */
const MOST_RANGES = 64;
/** TeleporterMessenger has one address on every chain, because its deployment was signed for any of them. */
const TELEPORTER = '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf';

/** Where streams without stored blocks begin: a height, `now`, or a day. */
const beginnings = list
  .transform((items, context) => {
    const read: Partial<Record<StreamName | EvmPipelineName, Start>> = {};
    for (const item of items) {
      const [, name = '', id, start = ''] =
        /^([a-z-]+)(?::([1-9]\d{0,18}))?=(now|\d{1,18}|\d{4}-\d{2}-\d{2})$/.exec(item) ?? [];
      const streams = streamsNamed(name);
      const ofChain = evmStreams.filter((each) => streams.includes(each));
      const named = id === undefined ? streams : ofChain.map((each) => `${each}:${BigInt(id)}` as const);
      const isDay = start.includes('-');
      // Date.parse takes February 30 for March 2.
      if (named.length === 0 || (isDay && !(ofChain.length > 0 && z.iso.date().safeParse(start).success))) {
        context.addIssue({ code: 'custom', message: 'is not a list such as p=1000,x=now' });
        return z.NEVER;
      }
      for (const each of named) {
        // A stream that is named itself has priority.
        if (formerStreams.has(name) && each in read) continue;
        if (isDay) read[each] = { since: Date.parse(start) / 1000 };
        else read[each] = start === 'now' ? start : BigInt(start);
      }
    }
    return read;
  })
  .describe(`a list such as p=1000,x=now,nfts:43114=2026-01-01 of ${listed}`);

/** Instead of contracts: every token of ERC-20 and ERC-721. */
export const ALL_TOKENS = 'all';

/** Contracts, in lower case. @param or a word that may stand among the addresses */
const contracts = (most: number, or?: string) =>
  list
    .pipe(z.array(z.string().refine((item) => item === or || /^0x[0-9a-fA-F]{40}$/.test(item))).max(most))
    .transform((items) => items.map((item) => item.toLowerCase()))
    .describe(
      `addresses of at most ${most} contracts, 0x and 40 digits each${or === undefined ? '' : `, or ${or}`}, separated by commas`,
    );

/** A folder for each EVM chain. */
const archives = list
  .transform((items, context) => {
    const folders = new Map<bigint, string>();
    for (const item of items) {
      const [, id, folder] = /^([1-9]\d{0,18})=(.+)$/.exec(item) ?? [];
      if (id === undefined || folder === undefined || folders.has(BigInt(id))) {
        context.addIssue({ code: 'custom', message: 'is not a list such as 43114=/data/c-chain' });
        return z.NEVER;
      }
      folders.set(BigInt(id), folder);
    }
    return folders;
  })
  .describe('a list of EVM chain ids and folders such as 43114=/data/c-chain, each chain once');

/** Settings of `moraine follow`, which `serve` starts if FOLLOW is set. */
export const followSettings = {
  FOLLOW: setting(
    list.pipe(z.array(url)).describe('addresses that begin with http:// or https://, separated by commas'),
    '',
    "Addresses of one network's nodes to follow, separated by commas, for example http://127.0.0.1:9650: the P-chain, the X-chain, and the C-chain's atomic and internal transactions, NFTs, interchain messages and balances fill the tables. Trusted: they may be loopback or private addresses. The sample is then not loaded. Empty: no node is followed.",
    true,
  ),
  FOLLOW_L1: setting(
    list.pipe(z.array(url)).describe('addresses that begin with http:// or https://, separated by commas'),
    '',
    'Addresses of the RPC of EVM chains other than the C-chain to follow, separated by commas, for example http://127.0.0.1:9650/ext/bc/BLOCKCHAIN_ID/rpc: internal transactions, NFTs, interchain messages and balances of each. Several addresses of one chain share its requests. Trusted as those of FOLLOW, which is needed too.',
    true,
  ),
  FOLLOW_GENESIS: optional(
    text,
    "The network's genesis file, or its address: needed for the P-chain from its first block on. It is accepted only if its hash is that of the node's network.",
    true,
  ),
  FOLLOW_ONLY: setting(
    list
      .pipe(z.array(z.string().refine((item) => streamsNamed(item).length > 0)))
      .transform((items) => [...new Set(items.flatMap(streamsNamed))])
      .describe(`a list of some of ${listed}, separated by commas`),
    '',
    `The only chains to follow, separated by commas: ${listed}. Empty: all that a node has.`,
  ),
  FOLLOW_FROM: setting(
    beginnings,
    '',
    'Where to begin a chain that was not begun yet, for example p=1000,x=now: at that height, or at the next new block; nfts is that of each EVM chain that is not named itself, as in nfts:43114=now. For these a day such as internals=2026-01-01 is the next new block too, and then the blocks of the past down to that day (UTC), the newest first. Outputs from earlier blocks are stored when they are spent. Empty: at the first block; internal transactions, NFTs and messages at the next block where the past takes too long.',
  ),
  FOLLOW_TOKENS: setting(
    contracts(MOST_TOKENS, ALL_TOKENS),
    '',
    'Contracts of ERC-20, ERC-721 and ERC-1155 tokens whose balances are stored by day, on whichever of the followed EVM chains they are, separated by commas; the word all is every contract of ERC-20 and ERC-721, and may stand next to those of ERC-1155. Empty: none. One that is added counts from the next block on; of ERC-1155 only a contract that is created since.',
  ),
  FOLLOW_TELEPORTERS: setting(
    contracts(MOST_MESSENGERS).transform((items) => [...new Set([TELEPORTER, ...items])]),
    '',
    'Contracts whose interchain messages are stored in addition to those of TeleporterMessenger at its usual address, separated by commas: other deployments of the same contract, and those of TeleporterMessengerV2, on any of the chains that are followed. One that is added counts from the next block on.',
  ),
  FOLLOW_ARCHIVE: setting(
    archives,
    '',
    'Folders with blocks of the past of EVM chains as the dumper of SQD writes them, for example 43114=/data/c-chain, separated by commas. What a file has is read from it and proved as what a node says; nodes are asked for the others. Empty: none.',
  ),
  FOLLOW_AS: optional(
    oneOf(['mainnet', 'fuji']),
    "The name under which a network of your own is shown. Not set: the node's network must be mainnet or fuji.",
  ),
  FOLLOW_CONCURRENCY: setting(count, '32', 'Maximum number of requests to one node at the same time.'),
  FOLLOW_RANGES: setting(
    wholeNumber(1, MOST_RANGES),
    '1',
    'How many ranges of the past of each stream of an EVM chain are read at the same time, the newest first: more hide how long a node takes for a block.',
  ),
  FOLLOW_PROCESSES: setting(
    processes,
    '1',
    'How many processes read these ranges, the follower itself included; auto: one for each core. They share FOLLOW_RANGES and FOLLOW_CONCURRENCY, and there are no more than these.',
  ),
  FOLLOW_LAG_SECONDS: optional(
    count,
    'Age of the data of a followed chain above which /ready reports that the gateway is not ready, seconds. Not set: only a chain that has stopped is reported.',
  ),
} as const;
