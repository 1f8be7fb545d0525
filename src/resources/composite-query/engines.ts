import type { Context } from '../../graphql/context.js';
import { CompositeEngine } from './engine.js';

const engines = new WeakMap<object, CompositeEngine>();

/** The engine of a database: one for REST and GraphQL of a process, so that they share its sets. */
export function compositeEngine({
  storage: { key },
  config,
  siblings,
}: Pick<Context, 'storage' | 'config' | 'siblings'>): CompositeEngine {
  const known = engines.get(key);
  if (known) return known;
  const options = {
    cacheBytes: config.COMPOSITE_CACHE_MB * 1024 * 1024,
    // A little less than the request's, so that this error answers, which says what helps.
    timeLimit: Math.min(0.9 * config.REQUEST_TIMEOUT_MS, config.STATEMENT_TIMEOUT_MS),
    concurrency: Math.max(1, Math.floor(config.DATABASE_POOL / 2)),
  };
  const engine = new CompositeEngine(options, siblings);
  engines.set(key, engine);
  return engine;
}
