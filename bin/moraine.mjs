#!/usr/bin/env node
// Starts the compiled command line; in a clone it first builds what is stale.
import { existsSync } from 'node:fs';

// Until the command line takes the signals over there is nothing to stop; a service that was asked to end has ended.
const [, , command, ...options] = process.argv;
const ends = options.some((option) => option === '--once' || option === '--check');
const service = ['serve', 'worker'].includes(command) || (command === 'follow' && !ends);
const interrupt = () => process.exit(service ? 0 : 130);
const terminate = () => process.exit(service ? 0 : 143);
const hangUp = () => process.exit(service ? 0 : 129);
process.on('SIGINT', interrupt).on('SIGTERM', terminate).on('SIGHUP', hangUp);

const root = new URL('../', import.meta.url);
// A process that `serve` has started goes on with what is built; while others run nothing may be replaced.
const isPart = process.argv[3] === '--process';
if (!isPart && existsSync(new URL('src/main.ts', root))) {
  const { build } = await import('./build.mjs');
  await build();
}
// GraphQL's development checks look at every value twice.
process.env.NODE_ENV ??= 'production';
const { main } = await import(new URL('dist/src/main.js', root));
const running = main(process.argv);
// Only now that others handle the signals: one that came while main.js was loaded waits for the event loop, and would be
// lost if nobody handled it for a moment.
process.off('SIGINT', interrupt).off('SIGTERM', terminate).off('SIGHUP', hangUp);
await running;
