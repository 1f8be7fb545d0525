import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { keyHeader } from '../access/authenticate.js';
import type { Config } from '../config.js';
import type { ConstantHeaders } from '../shield/raw-refusal.js';

/**
 * Sets the headers that are the same on every reply. Helmet's are among them: it runs once, because its
 * Fastify plugin builds its chain of middlewares for each request, about a tenth of the JavaScript time of a
 * page of ten rows.
 */
export function registerConstantHeaders(app: FastifyInstance, headers: ConstantHeaders): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

/** The headers themselves, for replies for which no hook runs. */
export function constantHeaders({ API_KEY_HEADER }: Pick<Config, 'API_KEY_HEADER'>): ConstantHeaders {
  return {
    ...headersOfHelmet(),
    // Replies contain the state of a key, and the chain moves on: a cached one is wrong for others and soon
    // for everybody. Pages that may be cached say so themselves.
    'cache-control': 'no-store',
    // The compression plugin sets it only on compressed replies; a cache would then give an uncompressed one
    // to every client.
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
    // Other sites may read the API.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // We speak plain HTTP; whoever puts TLS in front decides on this header.
    strictTransportSecurity: false,
  });
  apply({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
