import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import { Archives } from '../../src/follow/archive/archives.js';
import { L1Chains } from '../../src/follow/evm/l1-chains.js';
import {
  follow,
  type Beginnings,
  type Following,
  type FollowOptions,
  type Stopped,
} from '../../src/follow/follow.js';
import type { RangeShare } from '../../src/follow/loop/range-lanes.js';
import type { Pauses } from '../../src/follow/pauses.js';
import { Figures } from '../../src/follow/node/figures.js';
import { openNode, type NodeOptions } from '../../src/follow/node/nodes.js';
import { openPipelines } from '../../src/follow/open-pipelines.js';
import type { StreamName } from '../../src/config/follow-settings.js';
import type { WaitBounds } from '../../src/follow/primary/awaited-streams.js';
import { WaitingNotes } from '../../src/follow/status/waiting.js';
import { contentsOf } from '../../src/load-sample.js';
import type { Storage } from '../../src/storage/open.js';
import type { Filling } from './database.js';
import { excerptGenesis, startExcerptNode } from './excerpt-node.js';
import { shortPauses } from './node-client.js';
import { recordedFile, startRecordedNode, type RecordedNetwork } from './recorded-node.js';

export interface ToFollow {
  readonly urls: readonly string[];
  /** Path of the network's genesis file; undefined: the operator gives none. */
  readonly genesis: string | undefined;
  /** All that the node has when absent. */
  readonly only?: readonly StreamName[];
  readonly node?: Partial<NodeOptions>;
  readonly signal?: AbortSignal;
  readonly from?: Beginnings;
  /** Addresses of EVM chains other than the C-chain. */
  readonly l1?: readonly string[];
  /** Their streams; all that they offer when absent. */
  readonly l1Only?: readonly StreamName[];
  /** Contracts of tokens whose balances are followed, in lower case. */
  readonly tokens?: readonly string[];
  /** Contracts whose messages are followed, in lower case; that of TeleporterMessenger when absent. */
  readonly teleporters?: readonly string[];
  /** Before gaps are asked for again. */
  readonly gapPauses?: Pauses;
  /** Which ranges of the past are read at once; one of each stream when absent. */
  readonly ranges?: RangeShare;
  /** Streams that begin again. */
  readonly again?: readonly StreamName[];
  /** Folders of archives by EVM chain id; none when absent. */
  readonly archives?: ReadonlyMap<bigint, string>;
  /** How long streams of the primary network wait for each other. */
  readonly waits?: WaitBounds;
  /** Goes nowhere when absent. */
  readonly log?: Logger;
}

/** Where TeleporterMessenger is on every chain, in lower case. */
export const TELEPORTER = '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf';

const silent = pino({ level: 'silent' });

/** A follower that runs. */
export interface Started extends Following {
  /** Asks it to end, and waits. */
  readonly stop: () => Promise<Stopped[]>;
}

/**
 * Follows nodes in this process as `moraine follow --as fuji` does, until it is stopped or, with `once`, at
 * the end.
 */
export async function startFollowing(
  storage: Storage,
  given: ToFollow & { readonly once?: boolean },
): Promise<Started> {
  const { urls, genesis, only = [], tokens = [], teleporters = [TELEPORTER], once = false } = given;
  const { log = silent } = given;
  const client = { log, pauses: shortPauses, counts: new Figures(), ...given.node };
  const archives = await Archives.open(given.archives ?? new Map(), { log, figures: client.counts });
  const nodes = openNode(urls, client);
  const settings = {
    FOLLOW_AS: 'fuji' as const,
    FOLLOW_GENESIS: genesis,
    FOLLOW_ONLY: [...only],
    FOLLOW_TOKENS: [...tokens],
    FOLLOW_TELEPORTERS: [...teleporters],
  };
  const control = new AbortController();
  const signal = given.signal ? AbortSignal.any([given.signal, control.signal]) : control.signal;
  const deps = {
    nodes,
    storage,
    archives,
    contents: contentsOf,
    log,
    ...(given.waits && { waits: given.waits }),
  };
  let chains: L1Chains | undefined;
  const close = async () => {
    await chains?.close();
    archives.close();
    await nodes.close();
  };
  const open = async () => {
    const opened = await openPipelines(deps, settings, signal);
    const { platform } = nodes;
    const waiting = new WaitingNotes(storage.prisma, log);
    const shared = {
      platform,
      only: given.l1Only ?? [],
      tokens,
      teleporters,
      options: client,
      waiting,
      archives,
    };
    chains = new L1Chains({ ...opened, ...shared, urls: given.l1 ?? [] });
    return { ...opened, pipelines: [...opened.pipelines, ...(await chains.open(signal))] };
  };
  const followed = await open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const options = {
    storage,
    nodes,
    from: given.from ?? {},
    again: given.again ?? [],
    ...(given.gapPauses && { gapPauses: given.gapPauses }),
    ...(given.ranges && { ranges: given.ranges }),
    once,
    log,
    signal,
  };
  const more: FollowOptions['more'] = (start, ending) => chains!.wait(start, ending);
  const { views, ended } = follow({ ...followed, ...options, more });
  const closed = ended.finally(close);
  const stop = () => {
    control.abort(new Error('the test stops it'));
    return closed;
  };
  return { views, ended: closed, stop };
}

/** Follows nodes to the head that they have. @returns the pipelines that stopped, with why */
export async function followOnce(storage: Storage, given: ToFollow): Promise<Stopped[]> {
  const { ended } = await startFollowing(storage, { ...given, once: true });
  return ended;
}

/**
 * Follows nodes until these pipelines have waited with a note, and stops.
 *
 * @throws Error if they end instead, because they stopped or have stored everything
 * @param wanted how many of them
 * @returns the first such note of each, by pipeline
 */
export async function followUntilWaiting(
  storage: Storage,
  given: ToFollow,
  note: RegExp,
  wanted = 1,
): Promise<Record<string, string>> {
  const options = { node: { patienceMs: 50 }, ...given, once: true };
  const { views, stop, ended } = await startFollowing(storage, options);
  const notes: Record<string, string> = {};
  let hasEnded = false;
  void ended.finally(() => (hasEnded = true));
  while (Object.keys(notes).length < wanted) {
    for (const view of views)
      if (view.state === 'waiting' && note.test(view.note ?? '')) notes[view.name] ??= view.note ?? '';
    if (hasEnded) {
      const shown = views.map(({ name, state, note: said }) => `${name} ${state}: ${said}`);
      throw new Error(`it has ended instead of waiting: ${shown.join('; ')}`);
    }
    await sleep(1);
  }
  await stop();
  return notes;
}

/** The network whose recording is in this repository, followed from its genesis to its end. */
export const excerptFilling: Filling = {
  name: 'excerpt',
  async fill(storage) {
    const node = await startExcerptNode();
    try {
      const [stopped] = await followOnce(storage, { urls: [node.url], genesis: excerptGenesis });
      if (stopped) throw stopped.why;
    } finally {
      await node.close();
    }
  },
};

/** All of a recorded network, or some of its streams, followed from its genesis to its end. */
export function networkFilling(network: RecordedNetwork, only: readonly StreamName[] = []): Filling {
  return {
    name: [network, ...only].join('_').replaceAll('-', '_'),
    async fill(storage) {
      const node = await startRecordedNode(network);
      try {
        const genesis = recordedFile(network, 'genesis.json');
        const [stopped] = await followOnce(storage, { urls: [node.url], genesis, only });
        if (stopped) throw stopped.why;
      } finally {
        await node.close();
      }
    },
  };
}
