import type { Logger } from 'pino';
import type { Network } from '../../avalanche/networks.js';
import type { Storage } from '../../storage/storage.js';
import type { Nodes } from '../node/nodes.js';
import type { EndpointStatus } from '../node/status.js';
import type { PipelineView } from './view.js';

/** Writes how the nodes are doing, and how often they were asked, where gateways read it. */
export class NodeNotes {
  /** Requests that are counted in the database, by method and outcome. */
  private readonly counted = new Map<string, number>();
  private begun = false;

  constructor(
    private readonly nodes: Pick<Nodes, 'endpoints' | 'figures'>,
    private readonly storage: Pick<Storage, 'prisma'>,
    private readonly network: Network,
    private readonly log: Logger,
    /** The pipelines that are read from these nodes. */
    private readonly views: readonly PipelineView[],
  ) {}

  /** Writes what has changed, if the database can be reached: nothing depends on it. */
  async write(): Promise<void> {
    try {
      await this.writeEndpoints();
      await this.writeRequests();
    } catch (error) {
      this.log.debug({ err: error }, 'the state of the nodes could not be stored');
    }
  }

  /** The same of the requests alone, for a process that reads for another one. */
  async writeCounts(): Promise<void> {
    await this.writeRequests().catch((error: unknown) =>
      this.log.debug({ err: error }, 'the requests to nodes could not be counted'),
    );
  }

  private async writeEndpoints(): Promise<void> {
    const { followEndpoint } = this.storage.prisma;
    const endpoints = this.nodes.endpoints();
    if (!this.begun)
      await followEndpoint.deleteMany({ where: { name: { notIn: endpoints.map(({ name }) => name) } } });
    this.begun = true;
    const known = new Map((await followEndpoint.findMany()).map((row) => [row.name, row]));
    for (const { name, ...status } of endpoints) {
      const { state, reason } = this.shown(name, status);
      const before = known.get(name);
      const since = before?.state === state ? before.since : new Date();
      const now = { state, reason, since };
      await followEndpoint.upsert({ where: { name }, create: { name, ...now }, update: now });
    }
  }

  /** What answers is not well, if a chain waits because of it, or has stopped. */
  private shown(
    name: string,
    { state, reason }: Pick<EndpointStatus, 'state' | 'reason'>,
  ): { readonly state: string; readonly reason: string | null } {
    if (state === 'aside') return { state, reason };
    const blaming = this.views.filter(({ blamed }) => blamed.includes(name));
    const view = blaming.find((each) => each.state === 'stopped') ?? blaming[0];
    return view ? { state: view.state, reason: `${view.name}: ${view.note}` } : { state, reason };
  }

  private async writeRequests(): Promise<void> {
    const { network } = this;
    for (const { method, outcome, count } of this.nodes.figures().requests) {
      const key = `${method} ${outcome}`;
      const more = count - (this.counted.get(key) ?? 0);
      if (more === 0) continue;
      const of = { network, method, outcome };
      await this.storage.prisma.followRequest.upsert({
        where: { network_method_outcome: of },
        create: { ...of, count: more },
        update: { count: { increment: more } },
      });
      this.counted.set(key, count);
    }
  }
}
