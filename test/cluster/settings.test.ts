import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { settingsOf } from '../../src/cluster/settings.js';
import { ConfigError, loadConfig } from '../../src/config.js';

const url = 'postgresql://db/moraine';
const placed = (env: Record<string, string>, index: number) => settingsOf(index, loadConfig(env), url);

test('a gateway is one process unless PROCESSES says otherwise, and auto is one for each core', () => {
  expect(loadConfig({}).PROCESSES).toBe(1);
  expect(loadConfig({ PROCESSES: 'auto' }).PROCESSES).toBe(availableParallelism());
  expect(() => loadConfig({ PROCESSES: '0' })).toThrow(ConfigError);
});

test('what bounds the gateway is divided among its processes, and together they stay within it', () => {
  const whole = { DATABASE_POOL: '14', COMPOSITE_CACHE_MB: '256', MAX_REQUESTS_IN_FLIGHT: '100' };
  const parts = [1, 2, 3].map((index) =>
    placed({ PROCESSES: '3', ...whole, MAX_CONNECTIONS: '3', MAX_UNSENT_MB: '128' }, index),
  );
  for (const part of parts)
    expect(part).toMatchObject({
      DATABASE_POOL: '4',
      COMPOSITE_CACHE_MB: '85',
      MAX_REQUESTS_IN_FLIGHT: '33',
      MAX_CONNECTIONS: '1',
      MAX_UNSENT_MB: '42',
      DATABASE_URL: url,
    });
  expect(parts.map(({ WORKER }) => WORKER)).toEqual(['on', 'off', 'off']);
});

test.each([
  'DATABASE_POOL',
  'COMPOSITE_CACHE_MB',
  'MAX_REQUESTS_IN_FLIGHT',
  'MAX_CONNECTIONS',
  'MAX_UNSENT_MB',
])('more processes than %s has parts are refused, with what is allowed', (name) => {
  const refused = () => placed({ PROCESSES: '3', [name]: '2' }, 1);
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow(`PROCESSES: 3 are more than ${name}, 2,`);
});
