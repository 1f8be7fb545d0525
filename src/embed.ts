import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { assembleApp } from './app.js';
import type { Config } from './config.js';
import { loadSampleOnce, wantsSample } from './load-sample.js';
import { openServices } from './services.js';

/** The gateway as index.ts gives it to other programs. */
export async function embed(config: Config, log: Logger): Promise<FastifyInstance> {
  const { services, stopJobs, close } = await openServices(config, log);
  try {
    if (wantsSample(config)) await loadSampleOnce(services.storage, log);
    const app = await assembleApp(services);
    // Fastify calls it when the last request is answered.
    app.addHook('onClose', async () => {
      await stopJobs();
      await close();
    });
    return app;
  } catch (error) {
    await stopJobs();
    await close();
    throw error;
  }
}
