import type { CostExtension } from '../../graphql/limits/cost.js';
import { checkBoth } from '../../errors.js';
import type { Builder, Leaf } from '../../graphql/builder.js';
import { registerConnection as registerConnectionType } from '../../graphql/connection-type.js';
import { readConnection, type ConnectionSource } from '../../graphql/connection.js';
import { countList } from '../../graphql/counting.js';
import { parseJson } from '../../json.js';
import { metricsLimits, parsePageArguments } from '../../paging/page-request.js';
import { digestQuery } from '../../paging/token.js';
import { subnetMetricNames, subnetMetrics, type SubnetMetricName } from './metric.js';
import { metricQueryIdentity, resolveMetricQuery } from './query.js';
import { listPoints, type PointRow } from './store.js';

/** A point as resolvers see it: the specification's JSON. */
export interface PointNode {
  value: number | bigint;
  timestamp: number;
}

export interface MetricObjects {
  SubnetMetricPoint: PointNode;
  SubnetMetricPointConnection: ConnectionSource;
}

export type MetricEnums = {
  SubnetMetric: Leaf<SubnetMetricName>;
};

/** Registers the type SubnetMetricPoint and the query field subnetMetric. */
export function registerMetric(builder: Builder): void {
  builder.enumType('SubnetMetric', {
    description: 'A daily series of a subnet.',
    values: Object.fromEntries(
      subnetMetricNames.map((name) => [name, { description: subnetMetrics[name] }]),
    ) as Record<SubnetMetricName, { description: string }>,
  });
  builder.objectType('SubnetMetricPoint', {
    description: 'The value of a metric on one day.',
    fields: (t) => ({
      value: t.field({
        type: 'BigNumber',
        description: 'The value, exact; fees in nAVAX.',
        resolve: ({ value }) => value.toString(),
      }),
      timestamp: t.expose('timestamp', {
        type: 'Long',
        description: 'The day, as Unix seconds of its beginning (00:00 UTC).',
      }),
    }),
  });
  registerConnectionType(builder, 'SubnetMetricPoint', 'points of a metric');
  registerQuery(builder);
}

function registerQuery(builder: Builder): void {
  builder.queryField('subnetMetric', (t) =>
    t.field({
      type: 'SubnetMetricPointConnection',
      description: 'The daily values of a metric of a subnet, newest first; empty for a subnet without data.',
      extensions: { defaultPageSize: metricsLimits.default } satisfies CostExtension,
      args: {
        subnetId: t.arg.string({ required: true, description: 'Id of the subnet, CB58.' }),
        metric: t.arg({ type: 'SubnetMetric', required: true, description: 'Which series.' }),
        network: t.arg({
          type: 'Network',
          description: 'Network of the subnet. Not given: mainnet when the subnet has data there, else fuji.',
        }),
        startTimestamp: t.arg({ type: 'Long', description: 'Only points after this moment, Unix seconds.' }),
        endTimestamp: t.arg({ type: 'Long', description: 'Only points before this moment, Unix seconds.' }),
        ...t.arg.connectionArgs(),
        first: t.arg.int({
          description: `Number of points from the newest, 1 to ${metricsLimits.max}. Default ${metricsLimits.default} when last is not given either.`,
        }),
        last: t.arg.int({
          description: `Number of points from the oldest, 1 to ${metricsLimits.max}; not together with first.`,
        }),
      },
      resolve: (_root, args, context) => {
        const { storage, tokens } = context;
        const [query, request] = checkBoth(
          () => resolveMetricQuery(args),
          () => parsePageArguments(args, metricsLimits),
        );
        return readConnection({
          tokens,
          query: digestQuery('subnetMetric', metricQueryIdentity(query)),
          request,
          read: (request) => listPoints(storage, query, request),
          // The position is the day itself, which is a place in the list whether or not it has a point.
          exists: () => Promise.resolve(true),
          count: () =>
            countList(context, async (most) => {
              const all = { direction: 'forward', limit: most - 1, after: null, before: null } as const;
              return (await listPoints(storage, query, all)).length;
            }),
          toNode: ({ text }: PointRow) => parseJson(text) as PointNode,
        });
      },
    }),
  );
}
