import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { keyHeader } from '../access/authenticate.js';
import type { Config } from '../config.js';

/**
 * Puts the headers on every reply that are the same on all. Helmet's are among them: it runs once, as its Fastify
 * plugin builds its chain of middlewares anew for each request, about a tenth of the JavaScript time of a page of ten
 * rows.
 */
export function registerConstantHeaders(app: FastifyInstance, headers: ConstantHeaders): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

export type ConstantHeaders = Readonly<Record<string, string>>;

/** The headers themselves, for replies that no hook runs for. */
export function constantHeaders({ API_KEY_HEADER }: Pick<Config, 'API_KEY_HEADER'>): ConstantHeaders {
  return {
    ...headersOfHelmet(),
    // Replies tell how a key stands, and the chain moves on: a kept one is wrong for others and soon for everybody.
    // Pages that may be kept say so themselves.
    'cache-control': 'no-store',
    // The compressing plugin says so on what it compressed alone, and a cache would give what it kept to everyone.
    vary: [...new Set(['accept-encoding', keyHeader, API_KEY_HEADER])].join(', '),
  };
}

function headersOfHelmet(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  const apply = helmet({
    // Each page has its own: see content-security.ts.
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    // The API is there to be read from other sites.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // We speak plain HTTP; whoever puts TLS in front of it decides on this.
    strictTransportSecurity: false,
  });
  apply({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
