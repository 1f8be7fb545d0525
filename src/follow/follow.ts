import type { Logger } from 'pino';
import type { Network } from '../avalanche/networks.js';
import type { Start, StreamName } from '../config/follow-settings.js';
import { aborted } from '../stop.js';
import type { Storage } from '../storage/storage.js';
import type { PipelineStopped } from './errors.js';
import type { Pauses } from './pauses.js';
import { Milestones } from './loop/milestones.js';
import { RangeLanes, type RangeShare } from './loop/range-lanes.js';
import type { Nodes } from './node/nodes.js';
import { NodeNotes } from './status/node-notes.js';
import { streamOf, type Pipeline, type PipelineName } from './pipeline.js';
import { PipelineRunner } from './loop/runner.js';
import type { PipelineView } from './status/view.js';

/** Milliseconds between two writes of what is known of the nodes. */
const NODES_MS = 5000;

/**
 * Where pipelines without stored blocks begin. A pipeline's own name counts more than its stream's; without
 * either it begins at its default.
 */
export type Beginnings = Readonly<Partial<Record<StreamName | PipelineName, Start>>>;

export interface FollowOptions {
  readonly storage: Storage;
  readonly network: Network;
  readonly pipelines: readonly Pipeline[];
  readonly nodes: Pick<Nodes, 'endpoints' | 'figures'>;
  /** Starts more pipelines while the others run; ends when there are no more, or with the signal. */
  readonly more?: (start: (pipelines: readonly Pipeline[]) => void, signal: AbortSignal) => Promise<void>;
  readonly from: Beginnings;
  /** The streams that read all of their blocks again from the first one on; none when absent. */
  readonly again?: readonly StreamName[];
  /** Ends when every pipeline has stored the head that it found at the start. */
  readonly once: boolean;
  /** What this process reads of the past; one range of each stream at a time when absent. */
  readonly ranges?: RangeShare;
  readonly log: Logger;
  /** Before gaps are asked for again; those of gaps.ts when absent. */
  readonly gapPauses?: Pauses;
  /** Ends it: batches that are being written are finished. */
  readonly signal: AbortSignal;
}

/** What was started. */
export interface Following {
  /** How each pipeline is doing, in the order of their start; they change, and more may come. */
  readonly views: readonly PipelineView[];
  /** Resolves when all pipelines have ended, with those that cannot continue by themselves. */
  readonly ended: Promise<Stopped[]>;
}

export interface Stopped {
  readonly name: PipelineName;
  readonly why: PipelineStopped;
}

/** Where the operator wants a pipeline to begin; null where nothing was said. */
export const startOf = (from: Beginnings, name: PipelineName): Start | null =>
  from[name] ?? from[streamOf(name)] ?? null;

/** Starts the pipelines of a network. A pipeline that stops leaves the others alone. */
export function follow({ pipelines, nodes, from, again = [], more, ...options }: FollowOptions): Following {
  const { storage, network, log, signal } = options;
  const milestones = new Milestones(storage, log);
  const views: PipelineView[] = [];
  const notes = new NodeNotes(nodes, storage, network, log, views);
  const runs: Promise<{ name: PipelineName; why: PipelineStopped | undefined }>[] = [];
  const add = (pipeline: Pipeline) => {
    const { name } = pipeline;
    const start = { from: startOf(from, name), again: again.includes(streamOf(name)) };
    const runner = new PipelineRunner(pipeline, { ...options, ...start, milestones });
    views.push(runner.view);
    return runner;
  };
  const start = (runner: PipelineRunner) =>
    runs.push(runner.run().then((why) => ({ name: runner.view.name, why })));
  const writeNotes = async () => {
    if (views.some(({ state }) => state !== 'standby')) await notes.write();
  };
  const timer = setInterval(() => void writeNotes(), NODES_MS);
  const run = async () => {
    pipelines.map(add).forEach(start);
    await Promise.all([more?.((found) => found.map(add).forEach(start), signal), ...runs]);
    const ends = await Promise.all(runs);
    clearInterval(timer);
    await writeNotes();
    await milestones.finish();
    return ends.flatMap(({ name, why }) => (why ? [{ name, why }] : []));
  };
  return { views, ended: run() };
}

export type FollowPastOptions = Pick<
  FollowOptions,
  'storage' | 'network' | 'pipelines' | 'nodes' | 'more' | 'gapPauses' | 'log' | 'signal'
> & { readonly ranges: RangeShare };

/**
 * Reads only ranges of the past of pipelines, down to where the follower of their newest blocks wants it, and
 * ends with the signal.
 */
export async function followPast({ pipelines, more, ranges, ...options }: FollowPastOptions): Promise<void> {
  const { nodes, storage, network, log } = options;
  const milestones = new Milestones(storage, log);
  const notes = new NodeNotes(nodes, storage, network, log, []);
  const timer = setInterval(() => void notes.writeCounts(), NODES_MS);
  const all: RangeLanes[] = [];
  const start = (found: readonly Pipeline[]) => {
    for (const pipeline of found) {
      const lanes = new RangeLanes(pipeline, { ...options, milestones }, ranges);
      lanes.start();
      all.push(lanes);
    }
  };
  start(pipelines);
  await Promise.all([more?.(start, options.signal), aborted(options.signal)]);
  await Promise.all(all.map((lanes) => lanes.ended()));
  clearInterval(timer);
  await notes.writeCounts();
  await milestones.finish();
}
