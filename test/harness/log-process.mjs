// A process of its own that writes records to the log of what is built: steps, fields, what a client may have sent, errors.
import { loadConfig } from '../../dist/src/config.js';
import { openLog } from '../../dist/src/telemetry/log.js';

const log = openLog(loadConfig());
for (const migration of ['0001_first', '0002_second', '0003_third'])
  log.info({ migration }, 'applied a migration');
log.info({ rows: 12, seconds: 0.125, parts: ['a', 'b'] }, 'loaded');
const hostile = 'sent\r\n23:59:59 error: forged \u001b[2J\u009b1A\u202e\u2028end';
log.warn({ operation: hostile }, hostile);
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
log.error({ err: new TypeError('no answer', { cause: refused }) }, 'a request failed');
log.debug('not written');
