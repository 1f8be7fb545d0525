import cluster from 'node:cluster';
import { blockRules } from '../access/limiter.js';
import { MemoryStore } from '../access/memory-store.js';
import { countFor } from '../cluster/counts.js';
import { ProcessesError } from '../cluster/error.js';
import { Line, type LineMessage } from '../cluster/line.js';
import { answerHeartbeat } from '../cluster/heartbeat.js';
import { GatheredMetrics } from '../cluster/metrics.js';
import { Processes } from '../cluster/processes.js';
import { passOn } from '../cluster/relay.js';
import { checkDivided, settingsOf } from '../cluster/settings.js';
import { end, metricsOfAll, renew, serves, siblingsOn } from '../cluster/siblings.js';
import type { Config } from '../config.js';
import { METRICS_EVERY_MS } from '../http/metrics.js';
import { atMostEvery } from '../http/metrics/look.js';
import { loadSampleOnce, wantsSample } from '../load-sample.js';
import { openDatabase } from '../open-database.js';
import { startServer } from '../serve.js';
import type { SignalledStop } from '../signals.js';
import { aborted, unlessAborted } from '../stop.js';
import { openLog } from '../telemetry/log.js';
import { startFollower } from './follow-child.js';
import { greet } from './serve.js';

/**
 * `moraine serve` with PROCESSES: the primary process prepares the database, starts the serving processes and
 * keeps them running, counts for them, and closes the database after them. It answers no request itself.
 *
 * @throws ConfigError for more processes than parts of what they share; ProcessesError when they keep ending;
 *   what opening the database throws
 */
export async function serveProcesses(config: Config, stop: SignalledStop): Promise<void> {
  // Before anything is opened.
  checkDivided(config);
  const log = openLog(config);
  const storage = await openDatabase(config, log, stop);
  const store = new MemoryStore(blockRules(config), Date.now);
  const gathered = new GatheredMetrics(() => processes.serving);
  const gather = atMostEvery(METRICS_EVERY_MS, () => gathered.text());
  const processes: Processes = new Processes({
    count: config.PROCESSES,
    log,
    stop,
    settings: (slot) => settingsOf(slot, config, storage.url),
    started(line) {
      countFor(line, store);
      passOn(line, () => processes.serving);
      line.answer(metricsOfAll, gather);
    },
    ended: (line, wasAsked) => gathered.forget(line, wasAsked),
  });
  let endFollower = () => Promise.resolve();
  try {
    if (wantsSample(config)) await unlessAborted(stop.asked, loadSampleOnce(storage, log));
    const url = await unlessAborted(stop.asked, processes.start());
    greet(`${storage.description}, ${config.PROCESSES} processes`, url);
    endFollower = startFollower(config, storage.url, log, stop);
    await Promise.race([aborted(stop.asked), processes.failed]);
    log.info('stopping: requests that are being answered are finished');
  } catch (error) {
    // From here on stopping has its time limits, also without a signal.
    if (error instanceof ProcessesError) stop.ask();
    throw error;
  } finally {
    await Promise.all([processes.stop(), endFollower()]);
    await storage.close();
  }
  log.info('stopped');
}

/**
 * One serving process: a gateway on the shared ports, which ends when the primary process says so, or is
 * gone.
 *
 * @param slot of the process, for the log
 * @throws what starting a server throws
 */
export async function serveAsProcess(slot: string, config: Config, stop: SignalledStop): Promise<void> {
  const log = openLog(config).child({ process: Number(slot) });
  const line = lineToPrimary();
  answerHeartbeat(line);
  line.onSilence((silent) => {
    if (silent) log.warn('the primary process does not answer: this process counts limits by itself');
    else log.info('the primary process answers again: limits are counted together');
  });
  const siblings = siblingsOn(line, new MemoryStore(blockRules(config), Date.now));
  let isReplaced = false;
  line.answer(end, ({ replaced }) => {
    isReplaced = replaced;
    stop.ask();
    return null;
  });
  try {
    const server = await startServer(config, log, { stop, siblings });
    // A primary process that stands still hears of it later.
    line.ask(serves, { url: server.url }).catch(() => undefined);
    stop.askFirst(() => {
      const alone = () => false;
      void line
        .ask(renew, null)
        .catch(alone)
        .then((renews) => renews || stop.ask());
    });
    await aborted(stop.asked);
    await server.stop(isReplaced);
  } catch (error) {
    // The line would keep the process running.
    stop.ask();
    throw error;
  }
}

/** Node ends a process of a cluster when the primary process is gone. */
function lineToPrimary(): Line {
  const { worker } = cluster;
  if (!worker)
    throw new ProcessesError('--process is only for the processes that moraine serve starts itself.');
  const line = new Line((message) => void worker.send(message, () => undefined));
  worker.on('message', (message: LineMessage) => line.take(message));
  return line;
}
