import type { FastifyInstance } from 'fastify';
import { badInput } from '../errors.js';

/**
 * Refuses WebSocket upgrades at every path: there are no subscriptions, and an ordinary reply to the request
 * would not tell its client why. Other upgrades are ignored, as HTTP demands (RFC 9110, section 7.8): Java's
 * client offers h2c with its first request.
 */
export function refuseWebSockets(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(asksForWebSocket(headers.upgrade) ? notServed() : undefined);
  });
}

function asksForWebSocket(upgrade: string | undefined): boolean {
  return (
    upgrade !== undefined && upgrade.split(',').some((each) => each.trim().toLowerCase() === 'websocket')
  );
}

function notServed(): Error {
  return badInput(
    'upgrade: websocket is not supported; send GraphQL requests by POST or GET to /graphql. There are no subscriptions',
  );
}
