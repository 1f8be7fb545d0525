// Loaded into the gateway before its program: logs its memory, each time right after a full collection: its heap, and
// its resident memory. Without a collection both rise for minutes in a process without a leak, and fall by chance: they
// do not show bytes that are kept for each request.
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const { HEAP_LOG: file, HEAP_LOG_MS: every } = process.env;
const write = () => {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  appendFileSync(file, `${Date.now()} ${heapUsed} ${rss}\n`);
};
// Programs that the gateway starts have these settings too.
if (process.argv[2] === 'serve') setInterval(write, Number(every)).unref();
