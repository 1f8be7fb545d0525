import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { ConfigError, forFollower, pastPooler, pastProcesses, settingsWith, type Config } from '../config.js';
import { streamNames, streamsNamed, type StreamName } from '../config/follow-settings.js';
import { Archives } from '../follow/archive/archives.js';
import { L1Chains } from '../follow/evm/l1-chains.js';
import { follow, followPast, type FollowPastOptions } from '../follow/follow.js';
import { shareOf } from '../follow/loop/range-lanes.js';
import { BodyBudget } from '../follow/node/body-budget.js';
import { Figures } from '../follow/node/figures.js';
import { meet } from '../follow/network/meet.js';
import { openNode } from '../follow/node/nodes.js';
import { openPipelines } from '../follow/open-pipelines.js';
import { ProgressScreen, showProgress } from '../follow/status/progress.js';
import { WaitingNotes } from '../follow/status/waiting.js';
import { contentsOf } from '../load-sample.js';
import { openDatabase } from '../open-database.js';
import type { SignalledStop } from '../signals.js';
import type { Storage } from '../storage/open.js';
import { openLog } from '../telemetry/log.js';
import { checkNodes } from './check-nodes.js';
import { startPastReaders } from './follow-child.js';
import type { FollowOptions } from './follow.js';
import { optionsOf, withAddress } from './follow-options.js';
import { listGaps } from './list-gaps.js';
import { commandLog } from './terminal.js';

/**
 * The heap is collected when it is 1.8 times as large as what lived the last time, not four times: 375 MiB at
 * most instead of 914 while a chain of 60,000 blocks is followed, for a tenth more processor time.
 */
const HEAP_GROWTH = '--heap-growing-percent=80';

const whichNode = 'Which node? Give its address, such as http://127.0.0.1:9650, before --l1, or set FOLLOW.';

/**
 * `moraine follow`.
 *
 * @param url of nodes, where no option took it; those of FOLLOW when absent
 * @returns the exit code: 1 when a chain has stopped
 * @throws ConfigError, StorageError, NodeError and FollowError with messages for people
 */
export async function followCommand(
  url: string | undefined,
  given: FollowOptions,
  stop: SignalledStop,
): Promise<number | undefined> {
  const { urls, options } = withAddress(url, given);
  setFlagsFromString(HEAP_GROWTH);
  yieldToGateway();
  const said = optionsOf(urls, options);
  const config = forFollower(pastPooler(settingsWith(said)));
  if (options.gaps) {
    await listGaps(config, commandLog(config), stop);
    return undefined;
  }
  const again = readStreams(options.again ?? []);
  if (config.FOLLOW.length === 0) throw new ConfigError(whichNode);
  const isChild = options.process !== undefined;
  if (isChild) endWithParent(stop);
  const screen = !isChild && process.stderr.isTTY ? new ProgressScreen(process.stderr) : null;
  const log = openLog(config, 1, screen !== null && process.stdout.isTTY ? screen : undefined);
  if (options.check) return checkNodes(config, log, stop);
  const slot = Number(/^past-(\d+)$/.exec(options.process ?? '')?.[1] ?? 0);
  const run = { config, said, again, once: options.once ?? false, slot };
  return runFollower(run, screen, slot > 0 ? log.child({ process: slot }) : log, stop);
}

/** What a process of a follower does. */
interface FollowerRun {
  readonly config: Config;
  /** The options of the command, by setting. */
  readonly said: ReturnType<typeof optionsOf>;
  readonly again: readonly StreamName[];
  readonly once: boolean;
  /** 0: it follows; from 1 on: it reads the past for the one that does. */
  readonly slot: number;
}

/** @returns the exit code */
async function runFollower(
  { config, said, again, once, slot }: FollowerRun,
  screen: ProgressScreen | null,
  log: Logger,
  stop: SignalledStop,
): Promise<number | undefined> {
  const processes = pastProcesses(config);
  const ranges = shareOf(slot, processes, config.FOLLOW_RANGES);
  const client = {
    log,
    concurrency: Math.floor(config.FOLLOW_CONCURRENCY / processes),
    counts: new Figures(),
    bodies: new BodyBudget(),
  };
  const archives = await Archives.open(config.FOLLOW_ARCHIVE, { log, figures: client.counts });
  const nodes = openNode(config.FOLLOW, client);
  let storage: Storage | undefined;
  let l1s: L1Chains | undefined;
  let waiting: WaitingNotes | undefined;
  let endReaders = () => Promise.resolve();
  try {
    storage = await openDatabase(config, log, stop);
    const deps = { nodes, storage, archives, contents: contentsOf, log };
    waiting = new WaitingNotes(storage.prisma, log);
    const meeting = { nodes, storage, waiting, as: config.FOLLOW_AS, log, signal: stop.asked };
    const followed = await meet(() => openPipelines(deps, config, stop.asked), meeting);
    const chains = new L1Chains({
      urls: config.FOLLOW_L1,
      only: config.FOLLOW_ONLY,
      tokens: config.FOLLOW_TOKENS,
      teleporters: config.FOLLOW_TELEPORTERS,
      options: client,
      platform: nodes.platform,
      waiting,
      archives,
      ...followed,
    });
    l1s = chains;
    const pipelines = [...followed.pipelines, ...(await chains.open(stop.asked))];
    const run: FollowPastOptions = {
      storage,
      network: followed.network,
      pipelines,
      ranges,
      log,
      nodes: { figures: nodes.figures, endpoints: () => [...nodes.endpoints(), ...chains.endpoints()] },
      more: (start, signal) => chains.wait(start, signal),
      signal: stop.asked,
    };
    if (slot > 0) {
      await followPast(run);
      return undefined;
    }
    endReaders = startPastReaders(said, processes, storage.url, log, stop);
    const { views, ended } = follow({ ...run, from: config.FOLLOW_FROM, again, once });
    const endProgress = showProgress(views, screen, log);
    const stopped = await ended;
    endProgress();
    if (stopped.length > 0) return 1;
    log.info(
      stop.asked.aborted
        ? 'stopped'
        : 'all chains have reached the newest blocks that were found at the start',
    );
    return undefined;
  } finally {
    await endReaders();
    if (stop.asked.aborted) await waiting?.clear();
    await nodes.close();
    await l1s?.close();
    archives.close();
    await storage?.close();
  }
}

/**
 * Leaves the processors to what answers requests on the same machine: with two of them the slowest lists take
 * 1.8 times as long while a chain is followed, and 3 to 5 times as long otherwise.
 */
function yieldToGateway(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Where it is forbidden it follows as before.
  }
}

/** @param given names, or several separated by commas @throws ConfigError for a stream that does not exist */
function readStreams(given: readonly string[]): StreamName[] {
  const names = given.flatMap((each) => each.split(',')).filter((name) => name !== '');
  return names.flatMap((name) => {
    const streams = streamsNamed(name.trim());
    if (streams.length > 0) return streams;
    throw new ConfigError(`--again ${given.join(' ')}: ${name} is not one of ${streamNames.join(', ')}`);
  });
}

/** The process that started this one may be killed. */
function endWithParent({ ask }: SignalledStop): void {
  process.on('disconnect', ask);
  // It may have been killed while this one was starting.
  if (!process.connected) ask();
  // It must not keep this process running.
  process.channel?.unref();
}
