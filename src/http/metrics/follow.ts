import type { Logger } from 'pino';
import type { FollowReader, FollowStatus, PipelineStatus } from '../../follow/status/status.js';
import { sharedWhileRunning, waitAtMost } from './look.js';
import type { ReadMetrics, Sample } from './read-metrics.js';

/** Age at which the figures are read again, milliseconds: the follower writes them every five seconds. */
const FRESH_MS = 5000;
/** How long a scrape waits for new figures, milliseconds; then it returns the last ones. */
const PATIENCE_MS = 250;

/** The states of an endpoint, as src/follow/status/node-notes.ts writes them. */
const STATES = ['ok', 'lagging', 'aside', 'waiting', 'stopped'];

const nothing: FollowStatus = { pipelines: [], endpoints: [], requests: [], waiting: [] };

/**
 * Metrics of the chains that are followed, from the follower's tables: every gateway of a database shows the
 * same, whoever follows.
 *
 * @returns a function that updates them when they are old; it never fails and waits only a short time
 */
export function followMetrics(
  { gauges, counters }: ReadMetrics,
  { all }: Pick<FollowReader, 'all'>,
  log: Logger,
): () => Promise<void> {
  let known = nothing;
  let lookedAt = -Infinity;
  const chains = (name: string, help: string, value: (pipeline: PipelineStatus) => number | bigint | null) =>
    gauges(name, help, ['network', 'chain'], () => withFormerNames(ofPipelines(known, value)), 'max');
  chains(
    'moraine_follow_height',
    'Height of the newest stored block of a followed chain; -1: none is stored.',
    ({ next }) => next - 1n,
  );
  chains(
    'moraine_follow_head',
    'Height of the newest block of a followed chain that a node has.',
    ({ head }) => head,
  );
  chains(
    'moraine_follow_lag_seconds',
    'Age of the data of a followed chain: since everything was stored last or, if that is later, since its newest stored block was made.',
    ({ lagSeconds }) => lagSeconds,
  );
  chains(
    'moraine_follow_stopped',
    'Whether a followed chain has stopped and needs the operator: 1 or 0.',
    ({ state }) => Number(state === 'stopped'),
  );
  chains(
    'moraine_follow_gaps',
    'Blocks of a followed chain with a gap: every node refuses a part of them, which is missing and requested again. 1000 stands for 1000 or more.',
    ({ gaps }) => gaps?.blocks ?? 0,
  );
  chains(
    'moraine_follow_past_blocks_left',
    'Blocks of the past of a followed chain that are wanted and not stored yet. Absent if none are.',
    ({ past }) => past?.left ?? null,
  );
  ranges(gauges, () => known);
  chains(
    'moraine_follow_state_differs',
    "Whether the computed state of stakers of a P-chain is not the chain's, so that no estimated rewards and subnet metrics are written, or is in doubt, or rows are still missing because it was: 1 or 0.",
    ({ name, trouble }) => (name === 'p' ? Number(trouble !== null) : null),
  );
  countedOf(counters, () => known);
  endpointStates(gauges, () => known);
  const look = sharedWhileRunning(async () => {
    try {
      known = await all();
    } catch (error) {
      // Old figures are dropped: an old lag is not the present one.
      known = nothing;
      log.debug({ err: error }, 'metrics of followed chains could not be read');
    }
    lookedAt = performance.now();
  });
  return async () => {
    if (performance.now() - lookedAt >= FRESH_MS) await waitAtMost(look(), PATIENCE_MS);
  };
}

function countedOf(counters: ReadMetrics['counters'], read: () => FollowStatus): void {
  counters(
    'moraine_follow_rows_total',
    'Rows that followers have written, by table.',
    ['network', 'chain', 'kind'],
    () =>
      read().pipelines.flatMap(({ network, name, rows }) =>
        Object.entries(rows).map(([kind, value]) => ({ labels: { network, chain: name, kind }, value })),
      ),
    'max',
  );
  counters(
    'moraine_follow_frames_left_out_total',
    'Failed creations of contracts that are not stored as internal transactions, because nodes do not give their addresses.',
    ['network', 'chain'],
    () => ofPipelines(read(), ({ framesLeftOut }) => framesLeftOut),
    'max',
  );
  counters(
    'moraine_follow_refused_rows_total',
    'Rows of a followed chain that were refused, and are stored in part or not at all. The log has them.',
    ['network', 'chain'],
    () => ofPipelines(read(), ({ refusedRows }) => refusedRows),
    'max',
  );
  counters(
    'moraine_follow_ranges_cut_total',
    'Transfers of many NFTs at once (ERC-2309) of which not all tokens are stored.',
    ['network', 'chain'],
    () => ofPipelines(read(), ({ rangesCut }) => rangesCut),
    'max',
  );
  counters(
    'moraine_follow_requests_total',
    'Requests to nodes, by method and outcome.',
    ['method', 'outcome'],
    () =>
      read().requests.map(({ method, outcome, count }) => ({ labels: { method, outcome }, value: count })),
    'max',
  );
}

function ranges(gauges: ReadMetrics['gauges'], read: () => FollowStatus): void {
  gauges(
    'moraine_follow_range_blocks_left',
    'Blocks that a range of the past of a followed chain still lacks. Ranges have the numbers of their place, from the newest one on.',
    ['network', 'chain', 'range'],
    () =>
      read().pipelines.flatMap(({ network, name, past }) =>
        (past?.ranges ?? []).map(({ next, end }, index) => ({
          labels: { network, chain: name, range: String(index + 1) },
          value: Number(end - next),
        })),
      ),
    'max',
  );
}

function endpointStates(gauges: ReadMetrics['gauges'], read: () => FollowStatus): void {
  gauges(
    'moraine_follow_waiting_seconds',
    'How long a follower has waited for nodes that have not answered since its start. Absent if it does not wait.',
    ['nodes'],
    () => read().waiting.map(({ nodes, seconds }) => ({ labels: { nodes }, value: seconds })),
    'max',
  );
  gauges(
    'moraine_follow_endpoint_state',
    'Whether an endpoint of a node is in a state: 1 or 0. Endpoints have the numbers of their addresses in alphabetical order. lagging: its newest block is behind that of another. aside: it is not asked for now. waiting: a chain waits because of its answers. stopped: a chain that is read from it has stopped.',
    ['endpoint', 'state'],
    () =>
      read().endpoints.flatMap(({ state }, index) =>
        STATES.map((each) => ({
          labels: { endpoint: String(index + 1), state: each },
          value: Number(each === state),
        })),
      ),
    'max',
  );
}

function ofPipelines(
  { pipelines }: FollowStatus,
  read: (pipeline: PipelineStatus) => number | bigint | null,
): Sample[] {
  return pipelines.flatMap((pipeline) => {
    const value = read(pipeline);
    const labels = { network: pipeline.network, chain: pipeline.name };
    return value === null ? [] : [{ labels, value: Number(value) }];
  });
}

/**
 * The stream `logs` of an EVM chain is `nfts` and `messages` now. Rules and dashboards that have its name get
 * the values of `nfts`, where it went on.
 */
const withFormerNames = (samples: readonly Sample[]): Sample[] =>
  samples.flatMap((sample) => {
    const { chain = '' } = sample.labels;
    if (!chain.startsWith('nfts:')) return [sample];
    return [sample, { ...sample, labels: { ...sample.labels, chain: chain.replace('nfts', 'logs') } }];
  });
