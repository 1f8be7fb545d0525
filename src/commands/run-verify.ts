import type { Logger } from 'pino';
import { forFollower, pastPooler, settingsWith, type Config } from '../config.js';
import { openNode } from '../follow/node/nodes.js';
import { ProgressScreen, showProgress } from '../follow/status/progress.js';
import { contentsOf } from '../load-sample.js';
import { openMigrated } from '../open-database.js';
import { exportKinds, fileKinds } from '../resources.js';
import type { Stop } from '../stop.js';
import { adoptStoredIdentities } from '../storage/identities.js';
import type { Storage } from '../storage/open.js';
import { againstNode, identitiesOf } from '../verify/against-node.js';
import { againstItself } from '../verify/against-itself.js';
import { VerifyError } from '../verify/error.js';
import type { Outcome } from '../verify/finding.js';
import { compareOwnFacts } from '../verify/own-facts.js';
import { comparePresentState } from '../verify/present-state.js';
import { isSound, report } from '../verify/report.js';
import { compareUnspent } from '../verify/unspent.js';
import { openScratch, type Scratch } from './scratch.js';
import { commandLog } from './terminal.js';
import type { VerifyOptions } from './verify.js';

/** Blocks of a chain that are all compared without --deep: some minutes. */
const MOST_BLOCKS = '20000';
/** How many of the richest addresses, and how many random ones, have their unspent outputs compared. */
const SOME_ADDRESSES = 20;

/**
 * `moraine verify`.
 *
 * @param urls of nodes; absent: the database is compared with itself
 * @returns the exit code: 1 when anything differs or could not be compared
 * @throws VerifyError, ConfigError, StorageError, NodeError, FollowError with messages for people
 */
export async function verifyCommand(
  urls: string | undefined,
  options: VerifyOptions,
  stop: Stop,
): Promise<number> {
  const given = settingsWith({ FOLLOW: urls, FOLLOW_GENESIS: options.genesis });
  const config = forFollower(pastPooler(given));
  const log = commandLog(config);
  const storage = await openMigrated(config, log, stop);
  try {
    const scratch = await openScratch(config, options.scratch, log, stop);
    // An empty database has no networks of its own.
    await adoptStoredIdentities(storage.prisma);
    try {
      const deps = { config, storage, scratch, log, stop };
      const outcomes = await (config.FOLLOW.length > 0 ? withNode(deps, options) : withoutNode(deps));
      process.stdout.write(report(outcomes));
      return outcomes.every(isSound) ? 0 : 1;
    } finally {
      await scratch.remove();
    }
  } finally {
    await storage.close();
  }
}

interface VerifyDeps {
  readonly config: Config;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly log: Logger;
  readonly stop: Stop;
}

async function withoutNode({ storage, scratch, log, stop }: VerifyDeps): Promise<Outcome[]> {
  const { storage: empty, folder } = scratch;
  const facts = await compareOwnFacts(storage);
  const deps = { storage: empty, folder, exportKinds, fileKinds, log, signal: stop.asked };
  return [...facts, ...(await againstItself(storage, deps))];
}

async function withNode(
  { config, storage, scratch, log, stop }: VerifyDeps,
  { deep = false, blocks = MOST_BLOCKS }: VerifyOptions,
): Promise<Outcome[]> {
  const identities = await identitiesOf(storage);
  const nodes = openNode(config.FOLLOW, { log, concurrency: config.FOLLOW_CONCURRENCY });
  try {
    const networkId = BigInt(await nodes.info.networkId({ signal: stop.asked }));
    const identity = identities.find((one) => one.networkId === networkId);
    if (!identity)
      throw new VerifyError(
        `${storage.description} has nothing that was followed from the network ${networkId}, to which the node belongs.`,
      );
    const screen = process.stderr.isTTY ? new ProgressScreen(process.stderr) : null;
    const of = { nodes, network: identity.network, signal: stop.asked, addresses: SOME_ADDRESSES };
    const deps = {
      nodes,
      storage: scratch.storage,
      contents: contentsOf,
      identity,
      log,
      signal: stop.asked,
      genesis: config.FOLLOW_GENESIS,
      teleporters: config.FOLLOW_TELEPORTERS,
      show: (views: Parameters<typeof showProgress>[0]) => showProgress(views, screen, log),
    };
    const facts = await compareOwnFacts(storage);
    const tables = await againstNode(storage, deps, deep ? null : BigInt(blocks));
    return [
      ...facts,
      ...tables,
      ...(await comparePresentState(storage, of)),
      ...(await compareUnspent(storage, of)),
    ];
  } finally {
    await nodes.close();
  }
}
