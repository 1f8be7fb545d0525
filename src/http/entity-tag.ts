import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The tag of a content: it follows from the content alone, so that all gateways give the same one. Weak,
 * because it is the same for each encoding (RFC 9110, section 8.8.3).
 */
export const tagOf = (content: string | Buffer): string => `W/"${hash('sha1', content, 'base64url')}"`;

/** Whether the client has what the tag names: If-None-Match is a list; strong and weak tags are alike. */
export function isKnown({ headers: { 'if-none-match': known = '' } }: FastifyRequest, tag: string): boolean {
  const opaque = tag.slice(2);
  return known.split(',').some((each) => ['*', tag, opaque].includes(each.trim()));
}

/** Tells a client that what it has is still the answer. */
export function sendNotModified(reply: FastifyReply, tag: string): FastifyReply {
  return reply.header('etag', tag).code(304).send();
}
