import { Pool } from 'undici';

export interface LoadOptions {
  connections: number;
  /** How long the load lasts, milliseconds. */
  duration: number;
}

/**
 * Sends GET requests over keep-alive connections until the time is over.
 *
 * @param paths asked for in turn
 * @returns requests answered a second
 * @throws Error for any reply that is no 200
 */
export async function load(origin: string, paths: readonly string[], options: LoadOptions): Promise<number> {
  const pool = new Pool(origin, { connections: options.connections, pipelining: 1 });
  const start = performance.now();
  const end = start + options.duration;
  let sent = 0;
  let answered = 0;
  const client = async () => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: paths[sent++ % paths.length] ?? '/',
      });
      await body.dump({ limit: 10_000_000 });
      if (statusCode !== 200) throw new Error(`${origin} answered ${statusCode}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, client));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return answered / seconds;
}
