import type { EvmStream } from '../../config/follow-settings.js';
import type { CallOptions } from '../node/apis.js';
import { unlessFailed } from '../node/error.js';
import type { EvmNodes } from '../node/nodes.js';
import { notOffered, anyAccount } from './kept.js';

/** Milliseconds in which a node answers at the start. Nothing is decided by one that does not. */
const FIRST_MS = 5000;
/** How many of the newest blocks are tried for a trace. */
const TRACED_BLOCKS = 64n;

/** What each stream fills, and what a node must offer for it, for people. */
const filled: Readonly<Record<EvmStream, { readonly what: string; readonly needs: string }>> = {
  internals: { what: 'internal transactions', needs: 'traces (debug-tracer among "eth-apis")' },
  nfts: { what: 'NFTs', needs: 'eth_getBlockReceipts' },
  messages: { what: 'interchain messages', needs: 'eth_getBlockReceipts' },
  balances: { what: 'balances', needs: 'traces (debug-tracer among "eth-apis") and eth_getBalance' },
};

/** What balances of tokens need as well: their logs. */
const needsForTokens = ', and with --token eth_getBlockReceipts';

/** What a node must offer for a stream, for people. */
export const needsOf = (stream: EvmStream, tokens: readonly string[]): string =>
  `${filled[stream].needs}${stream === 'balances' && tokens.length > 0 ? needsForTokens : ''}`;

/**
 * The streams of an EVM chain that are left out, because every endpoint says that it does not offer what they
 * need; why, for people.
 *
 * @param chain for people
 * @param tokens contracts whose balances are followed too
 * @throws NodeError while no endpoint names its head
 */
export async function leftOutOf(
  nodes: Pick<EvmNodes, 'evm'>,
  chain: string,
  tokens: readonly string[],
  given: CallOptions,
): Promise<ReadonlyMap<EvmStream, string>> {
  const { evm } = nodes;
  const head = await evm.height(given);
  const options = { patienceMs: FIRST_MS, ...given };
  const traces = await isOffered(traceNewest(nodes, head, options));
  const receipts = await isOffered(evm.receipts(0n, options));
  const balances =
    traces &&
    (receipts || tokens.length === 0) &&
    (await isOffered(evm.balances([anyAccount], head, options)));
  const offered = { internals: traces, nfts: receipts, messages: receipts, balances };
  const streams = (Object.keys(filled) as EvmStream[]).filter((stream) => !offered[stream]);
  return new Map(
    streams.map((stream) => {
      return [
        stream,
        `${filled[stream].what} of ${chain} are left out, because no node offers ${needsOf(stream, tokens)}; moraine follow ADDRESS --only ${stream} fills them from one that does`,
      ];
    }),
  );
}

/** What cannot be asked now may be offered: then its stream waits, and says why. */
const isOffered = (answer: Promise<unknown>): Promise<boolean> =>
  unlessFailed(
    answer.then(() => true),
    (error) => !error.isFromAll(notOffered),
  );

/**
 * Traces one of the newest blocks that has transactions: of one without any, a node says that there are no
 * traces, whatever tracer was named. Only the method's absence is said of every block.
 */
async function traceNewest(
  { evm }: Pick<EvmNodes, 'evm'>,
  head: bigint,
  options: CallOptions,
): Promise<void> {
  const first = head > TRACED_BLOCKS ? head - TRACED_BLOCKS : 0n;
  const newest = await evm.blocks(first, Number(head - first) + 1, options);
  const used = newest.findLast(({ value }) => value.transactions.length > 0);
  await evm.traces(used ? BigInt(used.value.header.number) : head, options);
}
