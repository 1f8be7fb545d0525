import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FollowReader } from '../follow/status/status.js';
import type { Services } from '../graphql/context.js';
import { inTime } from '../failure.js';
import { choice, object, ref, text, type JsonSchemas } from '../fields/json-schema.js';
import type { DescribedRoute } from '../rest/openapi/document.js';
import { troubleOf } from '../storage/errors.js';
import { version } from '../package.js';
import { missingMigrations } from '../storage/readiness.js';
import type { Load } from '../shield/load.js';
import { followIndicator, type Indicator } from './follow-indicator.js';
import { atMostEvery } from './metrics/look.js';
import { refuseOtherMethods, sendJson } from './server.js';

/** After this many milliseconds without an answer the database counts as down. */
const PATIENCE_MS = 2000;
/** Milliseconds between two checks of the database, which all requests share. */
const LOOK_EVERY_MS = 100;

/** The answer of a health check (docs/contract.md, "Chains and health checks"). */
interface HealthCheck {
  status: 'ok' | 'error' | 'shutting_down';
  info: Record<string, Indicator>;
  error: Record<string, Indicator>;
  details: Record<string, Indicator>;
}

/** Whether a path belongs to the published API, whose answers have no version. */
const isPublished = (path: string) => path.startsWith('/v');

const checks = {
  live: {
    paths: ['/health', '/v1/live-check', '/v2/live-check'],
    summary: 'Check that the process runs',
    description: 'Answers without using the database.',
  },
  ready: {
    paths: ['/ready', '/v1/health-check', '/v2/health-check'],
    summary: 'Check that requests can be answered',
    description:
      'Checks that the database can be reached and has the tables that this version needs, and that no followed chain has stopped or, where FOLLOW_LAG_SECONDS is set, is further behind than that, as a follower is that waits for its node.',
  },
};

const tag = { name: 'Health', description: 'Whether the service works.' };

const indicators = (description: string) => ({
  type: 'object',
  description,
  additionalProperties: ref('HealthIndicator'),
});

const components: JsonSchemas = {
  HealthIndicator: object(
    'One part of the service.',
    { status: choice('Whether the part works.', ['up', 'down']) },
    { message: text('What is wrong with it, or how far it has come.') },
  ),
  HealthCheck: object('Whether the service works, and which of its parts do.', {
    status: choice('ok, error (some part does not work), or shutting_down.', [
      'ok',
      'error',
      'shutting_down',
    ]),
    info: indicators('The parts that work.'),
    error: indicators('The parts that do not work.'),
    details: indicators('All parts.'),
  }),
};

/** The checks as OpenAPI describes them. */
export const healthRoutes: DescribedRoute[] = Object.values(checks).flatMap(
  ({ paths, summary, description }) =>
    paths.filter(isPublished).map((path) => ({
      tag,
      method: 'GET',
      path,
      summary,
      description,
      parameters: {},
      response: {
        description: 'The check passes.',
        schema: ref('HealthCheck'),
        components,
        example: {
          status: 'ok',
          info: { database: { status: 'up' } },
          error: {},
          details: { database: { status: 'up' } },
        },
      },
      others: { 503: 'The check fails, or the service is shutting down.' },
    })),
);

/** Serves the health checks. They are also answered under overload and while shutting down. */
export function registerHealth(
  app: FastifyInstance,
  { storage, log, config }: Services,
  load: Load,
  following: FollowReader,
): void {
  const database = atMostEvery(LOOK_EVERY_MS, async (): Promise<Indicator> => {
    try {
      const missing = await inTime(missingMigrations(storage), PATIENCE_MS);
      if (missing.length === 0) return { status: 'up' };
      return { status: 'down', message: `is missing ${missing.length} migration(s); run moraine migrate` };
    } catch (error) {
      log.warn({ err: error }, 'the database does not pass the health check');
      const isBusy = ['busy', 'short'].includes(troubleOf(error) ?? '');
      return { status: 'down', message: isBusy ? 'is busy' : 'cannot be reached' };
    }
  });
  const follow = followIndicator(following, config, log);
  const look = async () => ({ database: await database(), ...(await follow()) });
  const live = () => report({ process: { status: 'up' } }, load);
  // A server that is about to close says so at once: a balancer waits for it.
  const ready = async () => (load.closing ? live() : report(await look(), load));
  for (const [check, { paths }] of [[live, checks.live] as const, [ready, checks.ready] as const]) {
    for (const url of paths) {
      app.get(url, { config: { always: true, free: true } }, async (_request, reply) =>
        send(reply, await check(), isPublished(url) ? {} : { version }),
      );
      refuseOtherMethods(app, url, ['GET']);
    }
  }
}

function report(details: Record<string, Indicator>, { closing }: Load): HealthCheck {
  const only = (status: Indicator['status']) =>
    Object.fromEntries(Object.entries(details).filter(([, each]) => each.status === status));
  const [info, error] = [only('up'), only('down')];
  const status = Object.keys(error).length > 0 ? 'error' : 'ok';
  return { status: closing ? 'shutting_down' : status, info, error, details };
}

function send(reply: FastifyReply, check: HealthCheck, more: { version?: string }): FastifyReply {
  void reply.code(check.status === 'ok' ? 200 : 503).header('cache-control', 'no-store');
  return sendJson(reply, JSON.stringify({ ...check, ...more }));
}
