import { randomInt } from 'node:crypto';
import { PipelineStopped } from '../errors.js';
import type { Nodes } from '../node/nodes.js';
import type { Balances } from './balance-rows.js';

/** Accounts of a batch and day of which every node is asked. */
const SAMPLE = 20;

/**
 * Asks every node for the balances of a few random accounts: no hash proves a balance, and two nodes that say different ones
 * leave nobody to believe.
 *
 * @throws PipelineStopped when one says another balance; the signal's reason
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
  const places = Array.from({ length: count }, (_, at) => (start + at) % accounts.length);
  const asked = places.map((place) => accounts[place]!);
  for (const { value, endpoint } of await evm.balancesOfEach(asked, height, { signal }))
    for (const [at, place] of places.entries())
      if (value[at] !== balances[place])
        throw new PipelineStopped(
          `${endpoint} says that ${asked[at]} has ${value[at]} wei after block ${height}, and another node ` +
            `${balances[place]}: only one of them can be right, and no hash says which. Leave out the wrong one; nothing was written`,
        );
}
