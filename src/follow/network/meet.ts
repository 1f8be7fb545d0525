import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import { messageOf } from '../../errors.js';
import type { Storage } from '../../storage/open.js';
import { NodeError } from '../node/error.js';
import type { Nodes } from '../node/nodes.js';
import { GrowingPauses } from '../pauses.js';
import type { WaitingNotes } from '../status/waiting.js';

export interface Meeting {
  readonly nodes: Pick<Nodes, 'endpoints'>;
  readonly storage: Pick<Storage, 'prisma'>;
  readonly waiting: WaitingNotes;
  /** The name under which the operator wants to show the network; undefined: its own. */
  readonly as: Network | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Before nodes are asked again; those of other calls when absent. */
  readonly pauses?: GrowingPauses;
}

/**
 * Does the first work with nodes, and repeats it while they cannot answer, or answer as no node would. They
 * may start later than we do, take long to bootstrap, or be behind a server that answers for them meanwhile.
 * Operators see which follower waits for which nodes.
 *
 * @throws NodeError for what only the operator can change; what else `work` throws
 */
export async function meet<T>(work: () => Promise<T>, meeting: Meeting): Promise<T> {
  const { nodes, storage, waiting, as, log, signal, pauses = new GrowingPauses() } = meeting;
  const names = nodes
    .endpoints()
    .map(({ name }) => name)
    .join(', ');
  for (;;)
    try {
      const done = await work();
      await waiting.met(names);
      return done;
    } catch (error) {
      signal.throwIfAborted();
      await waiting.show(names, messageOf(error), as ?? (await onlyNetwork(storage)));
      if (!(error instanceof NodeError) || error.failureClass === 'operator') throw error;
      if (pauses.isNews(error.message)) log.warn(`waiting for a node: ${error.message}`);
      await pauses.wait(signal);
      signal.throwIfAborted();
    }
}

/** The network that the database follows, if it is one; null otherwise, and if it cannot be reached. */
async function onlyNetwork({ prisma }: Pick<Storage, 'prisma'>): Promise<Network | null> {
  // Only for display: the follower waits for a node without it.
  const all = await prisma.followNetwork.findMany({ select: { network: true } }).catch(() => []);
  const [first, ...others] = all;
  return first && others.length === 0 ? first.network : null;
}
