import { randomInt } from 'node:crypto';
import { PipelineStopped } from '../errors.js';
import type { Nodes } from '../node/nodes.js';
import type { Balances } from './balance-rows.js';
import { effectOf } from './frames.js';
import type { TransactionTrace } from '../node/evm-apis.js';

/** Accounts of a batch and day whose balances are requested from every node. */
const SAMPLE = 20;

/**
 * Asks every node for the balances of a few random accounts: no hash proves a balance, so if two nodes
 * differ, it cannot be decided which one is right.
 *
 * @throws PipelineStopped when one gives another balance; the signal's reason
 */
export async function checkAmongNodes(
  { evm, endpoints }: Pick<Nodes, 'evm' | 'endpoints'>,
  { accounts, balances }: Pick<Balances, 'accounts' | 'balances'>,
  height: bigint,
  signal: AbortSignal,
): Promise<void> {
  if (endpoints().length < 2 || accounts.length === 0) return;
  const start = randomInt(accounts.length);
  const count = Math.min(SAMPLE, accounts.length);
  const indexes = Array.from({ length: count }, (_, at) => (start + at) % accounts.length);
  const asked = indexes.map((index) => accounts[index]!);
  for (const { value, endpoint } of await evm.balancesOfEach(asked, height, { signal }))
    for (const [at, index] of indexes.entries())
      if (value[at] !== balances[index])
        throw new PipelineStopped(
          `${endpoint} says that ${asked[at]} has ${value[at]} wei after block ${height}, and another node ` +
            `${balances[index]}: only one of them can be right, and no hash proves which. Leave out the wrong one; nothing was written`,
        );
}

/** Every node is asked for the traces of one block in so many. */
const TRACED_ONCE_IN = 16;

/** Whether this block is one of those. */
export const isSampled = ({ endpoints }: Pick<Nodes, 'endpoints'>): boolean =>
  endpoints().length > 1 && randomInt(TRACED_ONCE_IN) === 0;

/**
 * Asks every node for the traces of a block: only the first call of each is proved.
 *
 * @param traces those that are believed, with the endpoint that gave them
 * @throws PipelineStopped when a node says that a transaction called otherwise; the signal's reason
 */
export async function checkTracesAmongNodes(
  { evm }: Pick<Nodes, 'evm'>,
  { source, effects }: { readonly source: string; readonly effects: readonly string[] },
  height: bigint,
  signal: AbortSignal,
): Promise<void> {
  for (const { value, endpoint } of await evm.tracesOfEach(height, { signal })) {
    const others = value.map(readEffect);
    const index = effects.findIndex((effect, at) => others[at] !== null && others[at] !== effect);
    if (index >= 0 && others.length === effects.length)
      throw new PipelineStopped(
        `${endpoint} says that transaction ${value[index]?.txHash ?? index} of block ${height} made other internal transactions than ${source} ` +
          'says: only one of them can be right, and no hash proves which. Leave out the wrong one; nothing was written',
      );
  }
}

/** Null for a trace that cannot be read; it is not asked for again. */
function readEffect({ trace }: TransactionTrace): string | null {
  try {
    return effectOf(trace);
  } catch {
    return null;
  }
}
