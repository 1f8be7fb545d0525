import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Start } from '../config/follow-settings.js';
import { readGenesis } from '../follow/network/genesis-source.js';
import { missingBefore } from '../follow/status/missing.js';
import { readNodeFacts } from '../follow/network/node-facts.js';
import { probeL1 } from '../follow/check/l1-probe.js';
import { openEvm, openNode } from '../follow/node/nodes.js';
import type { PipelineName } from '../follow/pipeline.js';
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
  for (const [name, start] of Object.entries(FOLLOW_FROM) as [PipelineName, Start][]) {
    // With a time, earlier blocks are read too: nothing is missing in the end.
    if (typeof start === 'object') continue;
    const missing = missingBefore(name, start, false);
    if (missing !== null) process.stdout.write(`${name}: ${missing}\n`);
  }
  for (const url of FOLLOW) {
    const nodes = openNode([url], { log, concurrency: FOLLOW_CONCURRENCY });
    try {
      const found = await probe(nodes, { signal, patienceMs: 0 }, { only: FOLLOW_ONLY, from: FOLLOW_FROM });
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
      process.stdout.write(await probeL1(nodes, signal));
    } finally {
      await nodes.close();
    }
  }
  return answered > 0 ? 0 : 1;
}
