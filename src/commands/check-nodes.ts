import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { Archives } from '../follow/archive/archives.js';
import { archiveLine } from '../follow/check/archive-line.js';
import { FollowError } from '../follow/errors.js';
import { readGenesis } from '../follow/network/genesis-source.js';
import { identityRow } from '../follow/network/identity.js';
import { readNodeFacts, type NodeFacts } from '../follow/network/node-facts.js';
import { checkFacts } from '../follow/primary/proved-chains.js';
import { costOfCChain, costOfL1 } from '../follow/check/past-cost.js';
import { probeL1 } from '../follow/check/l1-probe.js';
import { unlessFailed } from '../follow/node/error.js';
import { Figures } from '../follow/node/figures.js';
import { openEvm, openNode } from '../follow/node/nodes.js';
import { probe } from '../follow/check/probe.js';
import { printProbe } from '../follow/check/probe-text.js';
import type { Stop } from '../stop.js';

const severalIndexes =
  'Several of these nodes keep an index, each in its own order: begin x-dag and x-vertices with the address of one of them alone, and add the others when both are complete.';

/**
 * `moraine follow --check`: prints what each node can fill, and whether the genesis file is its network's.
 * Nothing is written, and no database is opened.
 *
 * @returns the exit code: 1 when no node answered
 * @throws FollowError for a genesis file of another network, and a folder that is none of an archive
 */
export async function checkNodes(
  { FOLLOW, FOLLOW_L1, FOLLOW_GENESIS, FOLLOW_CONCURRENCY, FOLLOW_ARCHIVE, ...config }: Config,
  log: Logger,
  { asked: signal }: Stop,
): Promise<number> {
  let answered = 0;
  let indexes = 0;
  const chosen = {
    only: config.FOLLOW_ONLY,
    from: config.FOLLOW_FROM,
    tokens: config.FOLLOW_TOKENS,
    hasGenesis: FOLLOW_GENESIS !== undefined,
  };
  const contracts = { tokens: config.FOLLOW_TOKENS, teleporters: config.FOLLOW_TELEPORTERS, log };
  const archives = await Archives.open(FOLLOW_ARCHIVE, { log, figures: new Figures() });
  for (const url of FOLLOW) {
    const nodes = openNode([url], { log, concurrency: FOLLOW_CONCURRENCY });
    try {
      const found = await probe(nodes, { signal, patienceMs: 0 }, chosen, () =>
        costOfCChain(nodes, contracts, signal),
      );
      process.stdout.write(printProbe(found) + (await archiveLine(archives, nodes.evm, 'c-chain', signal)));
      if (found.node === null) continue;
      answered += 1;
      if (found.node.index['X/tx'] === 'on') indexes += 1;
      if (Object.values(found.node.heads).includes(null)) continue;
      const facts = await readNodeFacts(nodes, signal);
      const refusal = refusalOf(facts, config.FOLLOW_AS);
      if (refusal !== null) process.stdout.write(`  follow refuses this network: ${refusal}\n`);
      if (FOLLOW_GENESIS === undefined) {
        const note = await unlessFailed(checkFacts(facts, nodes, signal), ({ message }) => message);
        if (note !== undefined) process.stdout.write(`  follow waits: ${note}\n`);
        continue;
      }
      await readGenesis(FOLLOW_GENESIS, facts.genesis, signal);
      process.stdout.write('  The genesis file is that of its network.\n');
    } finally {
      await nodes.close();
    }
  }
  if (indexes > 1) process.stdout.write(`${severalIndexes}\n`);
  for (const url of FOLLOW_L1) {
    const nodes = openEvm([url], null, { log, concurrency: FOLLOW_CONCURRENCY });
    const primary = openNode(FOLLOW, { log, concurrency: FOLLOW_CONCURRENCY });
    try {
      process.stdout.write(
        (await probeL1(nodes, signal, chosen, () => costOfL1(nodes, primary.platform, contracts))) +
          (await archiveLine(archives, nodes.evm, 'l1', signal)),
      );
    } finally {
      await Promise.all([nodes.close(), primary.close()]);
    }
  }
  archives.close();
  return answered > 0 ? 0 : 1;
}

/** Why `follow` would not begin with this network, for people; null if it would. */
function refusalOf(facts: NodeFacts, as: string | undefined): string | null {
  try {
    identityRow(facts, as);
    return null;
  } catch (error) {
    if (error instanceof FollowError) return error.message;
    throw error;
  }
}
