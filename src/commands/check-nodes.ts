import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { readGenesis } from '../follow/network/genesis-source.js';
import { readNodeFacts } from '../follow/network/node-facts.js';
import { probeL1 } from '../follow/check/l1-probe.js';
import { openEvm, openNode } from '../follow/node/nodes.js';
import { probe } from '../follow/check/probe.js';
import { printProbe } from '../follow/check/probe-text.js';
import type { Stop } from '../stop.js';

/**
 * `moraine follow --check`: prints what each node can fill, and whether the genesis file is its network's.
 * Nothing is written, and no database is opened.
 *
 * @returns the exit code: 1 when no node answered
 * @throws FollowError for a genesis file of another network
 */
export async function checkNodes(
  { FOLLOW, FOLLOW_L1, FOLLOW_FROM, FOLLOW_ONLY, FOLLOW_GENESIS, FOLLOW_CONCURRENCY }: Config,
  log: Logger,
  { asked: signal }: Stop,
): Promise<number> {
  let answered = 0;
  const chosen = { only: FOLLOW_ONLY, from: FOLLOW_FROM };
  for (const url of FOLLOW) {
    const nodes = openNode([url], { log, concurrency: FOLLOW_CONCURRENCY });
    try {
      const found = await probe(nodes, { signal, patienceMs: 0 }, chosen);
      process.stdout.write(printProbe(found));
      if (found.problem !== null) continue;
      answered += 1;
      if (FOLLOW_GENESIS === undefined) continue;
      await readGenesis(FOLLOW_GENESIS, (await readNodeFacts(nodes, signal)).genesis, signal);
      process.stdout.write('  The genesis file is that of its network.\n');
    } finally {
      await nodes.close();
    }
  }
  for (const url of FOLLOW_L1) {
    const nodes = openEvm([url], null, { log, concurrency: FOLLOW_CONCURRENCY });
    try {
      process.stdout.write(await probeL1(nodes, signal, chosen));
    } finally {
      await nodes.close();
    }
  }
  return answered > 0 ? 0 : 1;
}
