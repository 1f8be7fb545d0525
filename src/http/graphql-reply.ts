import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../errors.js';
import type { Answer } from '../execution/executor.js';
import { refusedResult, type ResultType } from '../graphql/yoga.js';
import { cacheControl } from './conditional-replies.js';
import { accessOf } from './envelope.js';
import { sendOnce } from './event-stream.js';
import { acceptsStream } from './graphql-media-types.js';
import { isKnown, sendNotModified, tagOf } from './entity-tag.js';

/** Sends an answer. One without errors to a GET has a tag, for the client that asks for it again. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  type: ResultType,
): FastifyReply {
  if (request.method === 'POST' || answer.status !== 200 || answer.hasErrors !== false)
    return send(reply, answer, type);
  const tag = tagOf(`${type} ${dataIn(answer.text)}`);
  void reply.header('cache-control', cacheControl(undefined, 0, accessOf(request).caller.kind === 'key'));
  if (isKnown(request, tag)) return sendNotModified(reply, tag);
  return send(reply.header('etag', tag), answer, type);
}

/** Of a result, what is not different each time: extensions come last, and say what is left of the plan. */
const dataIn = (text: string) => text.slice(0, text.lastIndexOf(',"extensions":'));

export function refuse(reply: FastifyReply, error: AppError, status = statusOf(error)): FastifyReply {
  return send(reply, refusedAnswer(error, status), 'application/json');
}

export function refusedAnswer(error: AppError, status: number): Answer {
  return { status, headers: error.retryHeaders, text: JSON.stringify(refusedResult(error)) };
}

/** Some clients ignore the body of any status but 200, and would never send the document. */
const statusOf = ({ code, status }: AppError) => (code === 'PERSISTED_QUERY_NOT_FOUND' ? 200 : status);

function send(reply: FastifyReply, { status, headers, text }: Answer, type: ResultType): FastifyReply {
  if (status === 200 && acceptsStream(reply.request) === 'only')
    return sendOnce(reply.headers(headers), text);
  return reply.code(status).type(`${type}; charset=utf-8`).headers(headers).send(text);
}
