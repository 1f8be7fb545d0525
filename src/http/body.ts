import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.js';
import { JsonBounds } from '../json-bounds.js';
import { typeOf } from './graphql-media-types.js';

/** Types of bodies that are not JSON, whatever they contain. */
const otherTypes = ['application/graphql', 'application/x-www-form-urlencoded'];

type Done = (error: Error | null, body?: string) => void;

/**
 * Reads bodies as text, at most `limit` bytes of them; routes check their contents and type. A JSON body that
 * is nested deeper than any request, or has more members, is refused as soon as that shows, before the rest
 * arrives.
 */
export function readBodiesAsText(app: FastifyInstance, limit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, body, done) => readText(request, body, limit, done as Done));
}

function readText(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: IncomingMessage,
  limit: number,
  done: Done,
): void {
  const bounds = otherTypes.includes(typeOf(headers['content-type'])) ? undefined : new JsonBounds();
  const chunks: Buffer[] = [];
  let length = 0;
  const end = (error: Error | null, text?: string) => {
    body.off('data', read).off('end', finish).off('error', broken);
    done(error, text);
  };
  // The client is gone.
  const broken = (error: Error) => end(Object.assign(error, { statusCode: 400 }));
  const read = (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    try {
      if (length > limit) throw tooLarge(limit);
      bounds?.read(chunk);
    } catch (error) {
      end(error as Error);
    }
  };
  const finish = () => end(null, Buffer.concat(chunks, length).toString('utf8'));
  if (Number(headers['content-length']) > limit) return done(tooLarge(limit));
  body.on('data', read).on('end', finish).on('error', broken);
}

function tooLarge(limit: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The request body is larger than the allowed ${limit} bytes`);
}
