import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/**
 * Puts helmet's headers on every reply. They are the same for all requests, so helmet runs once: its Fastify plugin
 * builds its chain of middlewares anew for each request, about a tenth of the JavaScript time of a page of ten rows.
 */
export function registerSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(securityHeaders);
    done();
  });
}

/** For replies that no hook runs for. */
export const securityHeaders: Readonly<Record<string, string>> = headersOfHelmet();

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
