import { Pool } from 'undici';

export interface LoadOptions {
  connections: number;
  /** How long the load lasts, milliseconds. */
  duration: number;
}

/**
 * Sends GET requests over keep-alive connections until the time is over. Each connection is a separate client
 * of a server that trusts this one as a proxy, because one client may use only a share of the gateway's pool.
 *
 * @param paths requested in turn
 * @returns requests answered a second
 * @throws Error for any reply that is no 200
 */
export async function load(origin: string, paths: readonly string[], options: LoadOptions): Promise<number> {
  const pool = new Pool(origin, { connections: options.connections, pipelining: 1 });
  const start = performance.now();
  const end = start + options.duration;
  let sent = 0;
  let answered = 0;
  const client = async (number: number) => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: paths[sent++ % paths.length] ?? '/',
        headers: { 'x-forwarded-for': `10.0.0.${number}` },
      });
      await body.dump({ limit: 10_000_000 });
      if (statusCode !== 200) throw new Error(`${origin} answered ${statusCode}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, (_none, index) => client(index + 1)));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return answered / seconds;
}
