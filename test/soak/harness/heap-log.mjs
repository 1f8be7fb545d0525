// Loaded into the gateway before its program: writes down what its heap holds, each time right after a full collection.
// Without one a heap that leaks nothing rises for minutes, and tells nothing of bytes that are kept for each request.
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const { HEAP_LOG: file, HEAP_LOG_MS: every } = process.env;
const write = () => {
  collect();
  appendFileSync(file, `${Date.now()} ${process.memoryUsage().heapUsed}\n`);
};
// What the gateway starts has these settings too.
if (process.argv[2] === 'serve') setInterval(write, Number(every)).unref();
