import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { Config } from '../config.js';
import type { AppError, ErrorCode } from '../errors.js';
import type { Answer, PreparedExecutor } from '../execution/executor.js';
import type { EventText } from '../graphql/event-texts.js';
import type { NewDocuments } from '../graphql/new-documents.js';
import { documentNotFound, namesDocument } from '../graphql/persisted-queries.js';
import { resultText } from '../graphql/introspection.js';
import { isReplyTooLarge } from '../graphql/reply-size.js';
import { refusedResult, takeHttp, type GraphQLServer, type ResultType } from '../graphql/yoga.js';
import type { Services } from '../graphql/context.js';
import { OperationLimit } from '../graphql/operation-limit.js';
import { identityOf } from '../avalanche/identity.js';
import { serveAsset } from './asset.js';
import { sendOnce, sendStream } from './event-stream.js';
import { accessOf } from './envelope.js';
import { graphiqlPage, registerGraphiqlFiles } from './graphiql.js';
import { acceptsStream, notAccepted, typeOf, wrongType } from './graphql-media-types.js';
import { inAddress, inBody, operationRequest, type OperationRequest } from './graphql-parameters.js';
import { isPage, paidRefusal, payOne, refuseBlocked } from './graphql-price.js';
import { isForeign } from './origin.js';
import type { ExampleGroup } from '../recipes.js';
import { fromFastify, refuseOtherMethods, sendError, varyByAccept } from './server.js';

const ENDPOINT = '/graphql';
/** Why a body is not read to its end: the request was admitted, and pays. */
const unread = new Set<ErrorCode>(['PAYLOAD_TOO_LARGE', 'BAD_USER_INPUT']);

/** Who answers operations. */
interface Executors {
  readonly server: GraphQLServer;
  readonly prepared: PreparedExecutor;
  readonly newDocuments: NewDocuments;
}

/**
 * The endpoint /graphql. An operation in JSON goes straight into Yoga's pipeline, which spares making a
 * Request and a Response (about 200 µs); everything else (GET of a new document, forms, malformed bodies)
 * goes through Yoga's own HTTP.
 */
export async function registerGraphQL(
  app: FastifyInstance,
  { server, prepared, newDocuments }: Executors,
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
      const pays = request.access !== null && unread.has(shown.code);
      return refuse(reply, pays ? await paidRefusal(shown, request) : shown);
    });

    scope.addHook('onSend', (request, _reply, _payload, hookDone) => {
      if (request.access) newDocuments.ended(request.access);
      hookDone();
    });

    const page = { config: { free: isPage, price: 'later' as const }, onRequest: refuseBlocked };
    scope.get(ENDPOINT, page, async (request, reply) => {
      varyByAccept(reply);
      if (isPage(request)) return sendPage(request, reply);
      const given = inAddress(request);
      if (namesDocument(given)) return refuseHash(request, reply);
      const operation = operationRequest(request, given);
      if (operation && acceptsStream(request)) return answered(request, reply, operation);
      const answer =
        operation && (await prepared.answer(operation.parameters, accessOf(request), operation.type));
      return answer
        ? send(reply, answer, operation.type)
        : limit.run(callerOf(request), () => throughYoga(server, request, reply, config));
    });
    scope.post(ENDPOINT, { config: { price: 'later' }, onRequest: refuseBlocked }, async (request, reply) => {
      const given = inBody(request);
      if (namesDocument(given)) return refuseHash(request, reply);
      const operation = operationRequest(request, given);
      if (operation) return answered(request, reply, operation);
      return limit.run(callerOf(request), () => throughYoga(server, request, reply, config));
    });

    const answered = async (request: FastifyRequest, reply: FastifyReply, operation: OperationRequest) => {
      const { parameters, type } = operation;
      // Not limited: it begins in less time than a slice, and each caller's requests are bounded by
      // http/load.ts.
      const answer =
        (await prepared.answer(parameters, accessOf(request), type)) ??
        (await limit.run(callerOf(request), () => plainly(server, operation, request, config)));
      if ('events' in answer) return sendStream(request, reply, answer.events);
      // The plain executor reads whole rows, a statement only the selected fields.
      const smaller = answer.isTooLarge && (await prepared.answer(parameters, accessOf(request), type));
      return send(reply, smaller || answer, type);
    };
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
  return { ...takeHttp(result.errors, type), text: resultText(result), isTooLarge };
}

function refuse(reply: FastifyReply, error: AppError, status = error.status): FastifyReply {
  return send(reply, refusedAnswer(error, status), 'application/json');
}

const refusedAnswer = (error: AppError, status: number): Answer => ({
  status,
  headers: error.retryHeaders,
  text: JSON.stringify(refusedResult(error)),
});

/** Answers 200, because some clients ignore the body of any other status. */
async function refuseHash(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await payOne(accessOf(request));
  return refuse(reply, documentNotFound(), 200);
}

function send(reply: FastifyReply, { status, headers, text }: Answer, type: ResultType): FastifyReply {
  if (status === 200 && acceptsStream(reply.request) === 'only')
    return sendOnce(reply.headers(headers), text);
  return reply.code(status).type(`${type}; charset=utf-8`).headers(headers).send(text);
}

const callerOf = (request: FastifyRequest) => accessOf(request).charge.identity;
// Yoga's plugins may read the request's method and address; nothing reads its body or headers here.
function yogaRequest({ url, method }: FastifyRequest): Request {
  return {
    method: method === 'POST' ? method : 'GET',
    url: `http://localhost${url}`,
    headers: new Headers(),
  } as Request;
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
    await payOne(access);
    return refuse(reply, wrong.error, wrong.status);
  }
  const headers = Object.entries(request.headers).filter(
    ([name]) => !name.startsWith(':') && name !== 'content-length',
  );
  const response = await server.fetch(
    `http://localhost${request.url}`,
    {
      // Fastify sends no body for HEAD.
      method: request.method === 'HEAD' ? 'GET' : request.method,
      headers: headers.map(([name, value]): [string, string] => [
        name,
        // Yoga compares the type exactly, and the body has been read as text.
        name === 'content-type' ? typeOf(String(value)) : String(value),
      ]),
      body: typeof request.body === 'string' ? request.body : undefined,
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
