import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { Config } from '../config.js';
import type { ErrorCode } from '../errors.js';
import type { Answer, PreparedExecutor } from '../execution/executor.js';
import type { EventText } from '../graphql/event-texts.js';
import type { NewDocuments } from '../graphql/new-documents.js';
import type { PersistedDocuments } from '../graphql/persisted-documents.js';
import { closedPage, notTrusted, type TrustedOperations } from '../graphql/trusted-operations.js';
import { resultText } from '../graphql/introspection.js';
import { isReplyTooLarge } from '../graphql/reply-size.js';
import { takeHttp, type GraphQLServer } from '../graphql/yoga.js';
import type { Services } from '../graphql/context.js';
import { OperationLimit } from '../graphql/operation-limit.js';
import { identityOf } from '../avalanche/identity.js';
import { printJson } from '../json.js';
import { serveAsset } from './asset.js';
import { sendStream } from './event-stream.js';
import { accessOf } from './envelope.js';
import { graphiqlPage, registerGraphiqlFiles } from './graphiql.js';
import { acceptsStream, notAccepted, typeOf, wrongType } from './graphql-media-types.js';
import {
  inAddress,
  inBody,
  operationRequest,
  withDocument,
  type OperationRequest,
} from './graphql-parameters.js';
import { isPage, paidRefusal, payOne, refuseBlocked } from './graphql-price.js';
import { refuse, refusedAnswer, sendAnswer } from './graphql-reply.js';
import { isForeign } from './origin.js';
import type { ExampleGroup } from '../recipes.js';
import { fromFastify, refuseOtherMethods, sendError, varyByAccept } from './server.js';

const ENDPOINT = '/graphql';
/** Refusals before an operation is looked at: the request was admitted, and pays. */
const paying = new Set<ErrorCode>([
  'PAYLOAD_TOO_LARGE',
  'BAD_USER_INPUT',
  'PERSISTED_QUERY_NOT_FOUND',
  'FORBIDDEN',
]);

/** Who answers operations. */
interface Executors {
  readonly server: GraphQLServer;
  readonly prepared: PreparedExecutor;
  readonly newDocuments: NewDocuments;
  readonly persisted: PersistedDocuments;
  readonly trusted: TrustedOperations;
}

/**
 * The endpoint /graphql. An operation in JSON goes straight into Yoga's pipeline, which spares making a
 * Request and a Response (about 200 µs); everything else (forms, malformed bodies) goes through Yoga's own
 * HTTP.
 */
export async function registerGraphQL(
  app: FastifyInstance,
  { server, prepared, newDocuments, persisted, trusted }: Executors,
  { config, log }: Pick<Services, 'config' | 'log'>,
  examples: readonly ExampleGroup[],
): Promise<void> {
  const sendPage = serveAsset(
    () => graphiqlPage(examples),
    () => identityOf('fuji'),
  );
  registerGraphiqlFiles(app);
  const limit = new OperationLimit(config);
  await app.register((scope, _options, done) => {
    scope.setErrorHandler(async (error, request, reply) => {
      const shown = fromFastify(error as Error, log);
      if (isPage(request)) return sendError(reply, shown);
      // A request that was not admitted pays nothing.
      const pays = request.access !== null && paying.has(shown.code);
      return refuse(reply, pays ? await paidRefusal(shown, request) : shown);
    });

    scope.addHook('onSend', (request, _reply, _payload, hookDone) => {
      if (request.access) newDocuments.ended(request.access);
      hookDone();
    });

    const page = { config: { free: isPage, price: 'later' as const }, onRequest: refuseBlocked };
    scope.get(ENDPOINT, page, async (request, reply) => {
      varyByAccept(reply);
      if (!isPage(request)) return answer(request, reply, inAddress(request));
      if (trusted.isClosed) return sendError(reply, closedPage());
      return sendPage(request, reply);
    });
    scope.post(ENDPOINT, { config: { price: 'later' }, onRequest: refuseBlocked }, (request, reply) =>
      answer(request, reply, inBody(request)),
    );

    /** @param given the parameters, if they could be read */
    async function answer(
      request: FastifyRequest,
      reply: FastifyReply,
      given: unknown,
    ): Promise<FastifyReply> {
      const access = accessOf(request);
      const caller = access.charge.identity;
      const text = await persisted.textOf(given);
      const named = text === undefined ? undefined : withDocument(given as object, text);
      const operation = operationRequest(request, named ?? given);
      if (!operation) return limit.run(caller, () => throughYoga(server, { request, reply, config, named }));
      const { parameters, type } = operation;
      if (!trusted.admits(parameters.query, access.caller)) throw notTrusted();
      // Not limited: it begins in less time than a slice, and each caller's requests are bounded by
      // http/load.ts.
      const found =
        (await prepared.answer(parameters, access, type)) ??
        (await limit.run(caller, () => plainly(server, operation, request, config)));
      await persisted.learn(given, access);
      if ('events' in found) return sendStream(request, reply, found.events);
      // The plain executor reads whole rows, a statement only the selected fields.
      const smaller = found.isTooLarge && (await prepared.answer(parameters, access, type));
      return sendAnswer(request, reply, smaller || found, type);
    }
    refuseOtherMethods(scope, ENDPOINT, ['GET', 'POST']);
    done();
  });
}

/** Answers through Yoga's pipeline and the plain executor. */
async function plainly(
  server: GraphQLServer,
  { parameters: params, type }: OperationRequest,
  request: FastifyRequest,
  config: Config,
): Promise<Answer | { events: AsyncIterableIterator<EventText> }> {
  const context = {
    request: yogaRequest(request),
    access: accessOf(request),
    foreign: isForeign(request, config),
  };
  const result = (await server.getResultForParams({ params, request: context.request }, context)) as
    ExecutionResult | AsyncIterableIterator<EventText>;
  if (Symbol.asyncIterator in result) {
    if (acceptsStream(request)) return { events: result };
    await result.return?.();
    return refusedAnswer(notAccepted(request), 406);
  }
  const isTooLarge = isReplyTooLarge(result);
  const hasErrors = (result.errors?.length ?? 0) > 0;
  return { ...takeHttp(result.errors, type), text: resultText(result), isTooLarge, hasErrors };
}

// Yoga's plugins may read the request's method and address; nothing reads its body or headers here.
function yogaRequest(request: FastifyRequest): Request {
  const { url } = request;
  return { method: methodOf(request), url: `http://localhost${url}`, headers: new Headers() } as Request;
}

/** Fastify sends no body for HEAD. */
const methodOf = ({ method }: FastifyRequest) => (method === 'HEAD' ? 'GET' : method);

/** A request that Yoga reads, or refuses. */
interface Unread {
  request: FastifyRequest;
  reply: FastifyReply;
  config: Config;
  /** Of one that named its document, the parameters with the document. */
  named: object | undefined;
}

async function throughYoga(
  server: GraphQLServer,
  { request, reply, config, named }: Unread,
): Promise<FastifyReply> {
  const access = accessOf(request);
  const wrong = wrongType(request);
  if (wrong) {
    await payOne(access);
    return refuse(reply, wrong.error, wrong.status);
  }
  const sent = Object.entries(request.headers).filter(
    ([name]) => !name.startsWith(':') && name !== 'content-length',
  );
  const headers = new Headers(sent.map(([name, value]): [string, string] => [name, String(value)]));
  // Yoga compares the type exactly, and the body has been read as text.
  const type = named ? 'application/json' : typeOf(request.headers['content-type']);
  if (type) headers.set('content-type', type);
  const body = named ? printJson(named) : request.body;
  const response = await server.fetch(
    `http://localhost${request.url}`,
    {
      method: named ? 'POST' : methodOf(request),
      headers,
      body: typeof body === 'string' ? body : undefined,
    },
    { access, foreign: isForeign(request, config) },
  );
  // A request that is no operation costs what a REST request with wrong parameters does.
  await payOne(access);
  response.headers.forEach((value, name) => {
    if (name !== 'content-length') reply.header(name, value);
  });
  return reply.code(response.status).send(await response.text());
}
