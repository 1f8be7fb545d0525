import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/**
 * Puts the headers on every reply that are the same on all. Helmet's are among them: it runs once, as its Fastify
 * plugin builds its chain of middlewares anew for each request, about a tenth of the JavaScript time of a page of ten
 * rows.
 */
export function registerConstantHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(constantHeaders);
    done();
  });
}

/** For replies that no hook runs for. */
export const constantHeaders: Readonly<Record<string, string>> = {
  ...headersOfHelmet(),
  // The compressing plugin says so on what it compressed alone, and a cache would give what it kept to everyone.
  vary: 'accept-encoding',
};

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
