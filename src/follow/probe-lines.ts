import { balancesBeginning, givesReceipts, internalsBeginning, logsBeginning } from './evm/beginning.js';
import type { Terms } from './node/apis.js';
import { isEnd } from './node/in-order.js';
import type { Nodes } from './node/nodes.js';
import type { ProbedNode, ProbeLine } from './probe.js';

/** What the node can fill, from where on, and what would change that. @throws NodeError; the signal's reason */
export async function linesOf(nodes: Nodes, node: ProbedNode, given: Terms): Promise<ProbeLine[]> {
  const { platform, avm, evm } = nodes;
  const cortina = (await nodes.info.upgrades(given)).cortinaTime;
  // What is not found is asked for once.
  const terms = { ...given, patienceMs: 0 };
  const day =
    cortina === undefined ? 'its linearisation' : new Date(cortina * 1000).toISOString().slice(0, 10);
  const { P, X, C } = node.heads;
  return [
    blocksLine('P-chain', await firstHeight((at) => platform.blockByHeight(at, terms), P), {
      less: 'ask a node that has bootstrapped with this version: it has the height of each block',
      full: 'needs the genesis file of its network: --genesis',
    }),
    blocksLine(`X-chain since ${day}`, await firstHeight((at) => avm.blockByHeight(at, terms), X), {
      less: 'ask a node that has bootstrapped with this version',
      full: null,
    }),
    blocksLine('C-chain, atomic transactions', await firstHeight((at) => evm.headers(at, 1, terms), C), {
      less: 'set "state-sync-enabled": false in configs/chains/C/config.json and bootstrap again',
      full: null,
    }),
    dagLine(day, node.index),
    await logsLine(nodes, C, terms),
    await tracesLine(node, 'internals', () => internalsBeginning(nodes, C ?? 0n, terms)),
    await tracesLine(node, 'balances', () => balancesBeginning(nodes, C ?? 0n, terms)),
  ];
}

const archiveHint =
  'set "pruning-enabled": false and "state-sync-enabled": false in configs/chains/C/config.json for those of the past';
const tracerHint =
  'add "debug-tracer" to "eth-apis" in configs/chains/C/config.json; for blocks of the past also "pruning-enabled": false';

function blocksLine(
  what: string,
  first: bigint | null,
  hints: { less: string; full: string | null },
): ProbeLine {
  if (first === null)
    return { what, filled: 'not yet: the node is still bootstrapping this chain', hint: 'wait for it' };
  if (first <= 1n) return { what, filled: 'from genesis', hint: hints.full };
  return { what, filled: `from block ${first}`, hint: hints.less };
}

function dagLine(day: string, index: ProbedNode['index']): ProbeLine {
  const what = `X-chain before ${day}`;
  const state = index['X/tx'];
  if (state === 'on') return { what, filled: 'from genesis, with vertices', hint: null };
  const filled = 'not filled: such outputs appear when they are spent';
  if (state === 'off')
    return { what, filled, hint: 'start the node with --index-enabled from its first start on' };
  return {
    what,
    filled,
    hint: 'the index of this node is empty: the network never had such transactions, or the index was enabled too late',
  };
}

async function logsLine(nodes: Nodes, head: bigint | null, { signal }: Terms): Promise<ProbeLine> {
  const what = 'logs of the C-chain';
  if (head === null)
    return { what, filled: 'not yet: the node is still bootstrapping this chain', hint: 'wait for it' };
  if (!(await givesReceipts(nodes, signal)))
    return { what, filled: 'not filled', hint: 'ask a node that offers eth_getBlockReceipts' };
  if (logsBeginning(head) !== 'now') return { what, filled: 'from genesis', hint: null };
  const hint = 'from an earlier one with --from logs=HEIGHT: the receipts of all blocks take weeks';
  return { what, filled: `from block ${head + 1n}, the next one`, hint };
}

async function tracesLine(
  { tracer, archive, heads }: ProbedNode,
  stream: 'internals' | 'balances',
  beginning: () => Promise<bigint | 'now'>,
): Promise<ProbeLine> {
  const isOfBalances = stream === 'balances';
  const what = `${isOfBalances ? 'balances' : 'internal transactions'} of the C-chain`;
  if (tracer === 'no') return { what, filled: 'not filled', hint: tracerHint };
  if (heads.C === null)
    return { what, filled: 'not yet: the node is still bootstrapping this chain', hint: 'wait for it' };
  if ((await beginning()) !== 'now') return { what, filled: 'from genesis', hint: null };
  const next = `from block ${heads.C + 1n}, the next one`;
  const filled = isOfBalances
    ? `${next}, of ${new Date().toISOString().slice(0, 10)}: of addresses that something happens to since`
    : next;
  if (archive === 'no') return { what, filled, hint: archiveHint };
  return {
    what,
    filled,
    hint: `from an earlier one with --from ${stream}=HEIGHT: the past takes seconds a block`,
  };
}

/**
 * The lowest height from which on a node has blocks: the first is 0 or 1 where it has them all. By halves, because what
 * is missing is missing up to a height (an upgrade without bootstrapping, state sync).
 *
 * @returns null when the head is unknown
 */
async function firstHeight(
  read: (height: bigint) => Promise<unknown>,
  head: bigint | null,
): Promise<bigint | null> {
  if (head === null) return null;
  const has = async (height: bigint) => {
    try {
      await read(height);
      return true;
    } catch (error) {
      if (isEnd(error)) return false;
      throw error;
    }
  };
  if (head === 0n || (await has(1n))) return 0n;
  let [missing, present] = [1n, head];
  while (present - missing > 1n) {
    const middle = (missing + present) / 2n;
    if (await has(middle)) present = middle;
    else missing = middle;
  }
  return present;
}
