// Loaded into the gateway before its program: writes down what it holds, each time right after a full collection: its heap,
// and what the system sees of it. Without one, both rise for minutes in a process that leaks nothing, and fall by chance:
// of bytes that are kept for each request they tell nothing.
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
// What the gateway starts has these settings too.
if (process.argv[2] === 'serve') setInterval(write, Number(every)).unref();
