import type { FastifyInstance } from 'fastify';

/** Listens on a free port of 127.0.0.1. @returns http://127.0.0.1:<port> */
export const listen = (app: FastifyInstance): Promise<string> => app.listen({ host: '127.0.0.1', port: 0 });

/** The same, for the number of the port. */
export const listenOnPort = async (app: FastifyInstance): Promise<number> =>
  Number(new URL(await listen(app)).port);
