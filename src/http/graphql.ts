import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { Config } from '../config.js';
import type { AppError } from '../errors.js';
import type { Answer, Parameters, PreparedExecutor } from '../execution/executor.js';
import { resultText } from '../graphql/introspection.js';
import { refusedResult, takeHttp, type GraphQLServer } from '../graphql/yoga.js';
import type { Services } from '../graphql/context.js';
import { Turns } from '../graphql/turns.js';
import { parseJson } from '../json.js';
import { serveAsset } from './asset.js';
import { accessOf } from './envelope.js';
import { graphiqlPage, type GraphiqlTab } from './graphiql.js';
import { asksForPage, takesPlainJson, typeOf, wrongType } from './graphql-media-types.js';
import { isForeign } from './origin.js';
import { fromFastify, refuseOtherMethods } from './server.js';

const ENDPOINT = '/graphql';
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The GraphQL door. An ordinary JSON request goes straight into Yoga's pipeline, which spares building a Request
 * and a Response (about 200 µs); everything else (GET, other types, malformed bodies) is Yoga's own HTTP.
 */
export async function registerGraphQL(
  app: FastifyInstance,
  { server, prepared }: { server: GraphQLServer; prepared: PreparedExecutor },
  { config, log }: Pick<Services, 'config' | 'log'>,
  tabs: readonly GraphiqlTab[],
): Promise<void> {
  const sendPage = serveAsset(() => graphiqlPage(tabs));
  const turns = new Turns(config);
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    // As text: what is not JSON, or no object, is for Yoga to refuse in GraphQL's own way.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));

    scope.setErrorHandler((error, _request, reply) =>
      refuse(reply, fromFastify(error as Error, config, log)),
    );

    scope.get(ENDPOINT, { config: { free: asksForPage } }, async (request, reply) => {
      reply.header('vary', `${String(reply.getHeader('vary'))}, accept`);
      return asksForPage(request)
        ? sendPage(request, reply)
        : turns.run(accessOf(request).charge.identity, () => throughYoga(server, request, reply, config));
    });
    scope.post(ENDPOINT, async (request, reply) => {
      const parameters = plainParameters(request);
      const caller = accessOf(request).charge.identity;
      if (!parameters) return turns.run(caller, () => throughYoga(server, request, reply, config));
      // Takes no turn: it begins in less time than one, and each caller's requests are bounded by http/load.ts.
      const { status, headers, text } =
        (await prepared.answer(parameters, accessOf(request))) ??
        (await turns.run(caller, () => plainly(server, parameters, request, config)));
      return reply.code(status).headers(headers).type(JSON_TYPE).send(text);
    });
    refuseOtherMethods(scope, ENDPOINT, ['GET', 'POST']);
    done();
  });
}

/** Has Yoga's pipeline and the plain executor answer. */
async function plainly(
  server: GraphQLServer,
  params: Parameters,
  request: FastifyRequest,
  config: Config,
): Promise<Answer> {
  const context = {
    request: yogaRequest(request),
    access: accessOf(request),
    foreign: isForeign(request, config),
  };
  const result = (await server.getResultForParams(
    { params, request: context.request },
    context,
  )) as ExecutionResult;
  return { ...takeHttp(result.errors), text: resultText(result) };
}

function refuse(reply: FastifyReply, error: AppError, status = error.status): FastifyReply {
  void reply.code(status).headers(error.retryHeaders).type(JSON_TYPE);
  return reply.send(JSON.stringify(refusedResult(error)));
}

/** The operation of a request that asks for JSON in JSON; null for any other. */
function plainParameters({ headers, body }: FastifyRequest): Parameters | null {
  if (typeOf(headers['content-type']) !== 'application/json' || typeof body !== 'string') return null;
  if (!takesPlainJson(headers.accept)) return null;
  const value = tryParse(body) as
    { query?: unknown; variables?: unknown; operationName?: unknown; extensions?: unknown } | undefined;
  if (typeof value?.query !== 'string') return null;
  const { query, variables, operationName, extensions } = value;
  if (!isAbsentOrObject(variables) || !isAbsentOrObject(extensions)) return null;
  if (!isAbsent(operationName) && typeof operationName !== 'string') return null;
  return {
    query,
    variables: (variables ?? undefined) as Record<string, unknown> | undefined,
    operationName: operationName ?? undefined,
    extensions: (extensions ?? undefined) as Record<string, unknown> | undefined,
  };
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text) ?? undefined;
  } catch {
    return undefined;
  }
}

const isAbsent = (value: unknown) => value === undefined || value === null;
const isAbsentOrObject = (value: unknown) =>
  isAbsent(value) || (typeof value === 'object' && !Array.isArray(value));

// Yoga's plugins may look at the request's method and address; nobody reads its body or headers on this way.
function yogaRequest({ url }: FastifyRequest): Request {
  return { method: 'POST', url: `http://localhost${url}`, headers: new Headers() } as Request;
}

async function throughYoga(
  server: GraphQLServer,
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
): Promise<FastifyReply> {
  const access = accessOf(request);
  const wrong = wrongType(request);
  if (wrong) {
    await access.charge.take(1);
    return refuse(reply, wrong.error, wrong.status);
  }
  const headers = Object.entries(request.headers).filter(
    ([name]) => !name.startsWith(':') && name !== 'content-length',
  );
  const response = await server.fetch(
    `http://localhost${request.url}`,
    {
      // Fastify leaves the body out.
      method: request.method === 'HEAD' ? 'GET' : request.method,
      headers: headers.map(([name, value]): [string, string] => [
        name,
        // Yoga compares the type as it is written, and the body has been read as text.
        name === 'content-type' ? typeOf(String(value)) : String(value),
      ]),
      body: typeof request.body === 'string' ? request.body : undefined,
    },
    { access, foreign: isForeign(request, config) },
  );
  // Refused before it was a document: it costs what a REST request with wrong parameters does.
  if (response.status >= 400 && !access.charge.decision) await access.charge.take(1);
  response.headers.forEach((value, name) => {
    if (name !== 'content-length') reply.header(name, value);
  });
  return reply.code(response.status).send(await response.text());
}
