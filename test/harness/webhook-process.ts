// A process of its own for tests: makes and sends events of webhooks until it is killed. A job of a process
// that was killed is another one's after three seconds.
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { defaultTimes } from '../../src/jobs/queue.js';
import { startWebhooks } from '../../src/resources/webhook/start-jobs.js';
import { openStorage } from '../../src/storage/open.js';

const log = pino({ level: 'fatal' });
const config = loadConfig({ DATABASE_URL: process.argv[2], WORKER: 'on', FETCH_ALLOW_LOOPBACK: 'true' });
const times = { ...defaultTimes, poll: 0.05, run: 2, lost: 3, maintenance: 1, retryDelay: 1 };
await startWebhooks(config, await openStorage(config, log), log, { times, pauses: [0.2] });
process.stdout.write('ready\n');
