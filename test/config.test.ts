import { describe, expect, test } from 'vitest';
import { describeConfig, loadConfig } from '../src/config.js';
import { joinGiven } from '../src/storage/given-server.js';
import { Random } from './harness/random.js';

const secret = 'hunter2@x';
const settings = [
  'IPFS_GATEWAY',
  'ARWEAVE_GATEWAY',
  'PUBLIC_URL',
  'METRICS_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'DATABASE_URL',
  'READ_DATABASE_URLS',
  'REDIS_URL',
];

describe('a password in the address of a setting', () => {
  test.each(settings)('%s is printed by no listing and by no refusal', (name) => {
    const scheme = name.includes('DATABASE') ? 'postgresql' : name === 'REDIS_URL' ? 'redis' : 'https';
    const text = `${scheme}://ada:${encodeURIComponent(secret)}@host.example:8443/path?token=hunter2`;
    const { value } = describeConfig({ [name]: text }).find((each) => each.name === name)!;
    expect(value).not.toMatch(/hunter2|ada/);
    const wrong = `gopher://ada:${secret}@host.example/?token=hunter2`;
    expect(() => loadConfig({ [name]: wrong })).toThrow(name);
    expect(() => loadConfig({ [name]: wrong })).not.toThrow(/hunter2/);
  });

  test('is left out of the addresses that others are shown', () => {
    const given = 'https://ada:hunter2@host.example/base';
    const { PUBLIC_URL, METRICS_URL, IPFS_GATEWAY } = loadConfig({
      PUBLIC_URL: given,
      METRICS_URL: given,
      IPFS_GATEWAY: given,
    });
    expect([PUBLIC_URL, METRICS_URL]).toEqual(Array(2).fill('https://host.example/base'));
    expect(IPFS_GATEWAY).toBe(given);
  });
});

test('no form of an address has a part of its password printed: by the listing, a refusal, or a database that is not there', async () => {
  const words = ['zebra', 'quagga', 'okapi'];
  const signs = [
    ...'@/?#:%&=,;+ \\|"\'<>[]{}^`~!$*()-_.\n',
    '%40',
    '%2F',
    '%zz',
    '://',
    '@/',
    '/@',
    '?a=',
    '@@',
    '%',
    '5/',
    '1?',
    '',
  ];
  const random = new Random(47);
  const pick = <T>(from: readonly T[]) => random.one(from);
  const begin = [
    'postgresql://',
    'postgres://',
    'postgresql:/',
    'postgresql:',
    'postgresql:///',
    'redis://',
    'https://',
    '//',
    '',
  ];
  const end = [
    '@127.0.0.1:1/name',
    '@127.0.0.1:1',
    '@127.0.0.1:1/name?sslmode=disable',
    '@[::1]:1/name',
    '@/name?host=127.0.0.1&port=1',
  ];
  const names = [
    'DATABASE_URL',
    'DIRECT_DATABASE_URL',
    'READ_DATABASE_URLS',
    'REDIS_URL',
    'METRICS_URL',
    'FOLLOW',
    'FOLLOW_L1',
    'RPC_URLS',
    'PUBLIC_URL',
    'CORS_ORIGIN',
  ];
  let opened = 0;
  for (let round = 0; round < 3000; round += 1) {
    const password = words.map((word) => pick([word, '7', '']) + pick(signs)).join('') + pick(words);
    const text = `${pick(begin)}ada:${password}${pick(end)}`;
    const name = pick(names);
    const said = describeConfig({ [name]: text }).map(({ value }) => value);
    let config;
    try {
      config = loadConfig({ [name]: text });
    } catch (error) {
      said.push((error as Error).message);
    }
    if (name === 'DATABASE_URL' && config) {
      opened += 1;
      said.push(
        await joinGiven(config).then(
          () => '',
          (error: Error) => error.message,
        ),
      );
    }
    for (const word of words) expect(said.join('\n').toLowerCase(), text).not.toContain(word);
  }
  expect(opened).toBeGreaterThan(15);
});

test('FOLLOW_FROM takes heights, now, and for streams of EVM chains a day', () => {
  const { FOLLOW_FROM } = loadConfig({
    FOLLOW_FROM: 'p=1000,x=now,internals=2026-01-01,nfts:43114=2024-02-29',
  });
  expect(FOLLOW_FROM).toEqual({
    p: 1000n,
    x: 'now',
    internals: { since: Date.UTC(2026, 0, 1) / 1000 },
    'nfts:43114': { since: Date.UTC(2024, 1, 29) / 1000 },
  });
  for (const wrong of [
    'p=2026-01-01',
    'internals=2026-13-01',
    'internals=2026-1-1',
    'internals=',
    'internals=2026-02-30',
    'logs=2025-02-29',
  ]) {
    expect(() => loadConfig({ FOLLOW_FROM: wrong }), wrong).toThrow(/FOLLOW_FROM/);
  }
});

test('logs, which was one stream, stands for NFTs and messages, unless they are named themselves', () => {
  expect(loadConfig({ FOLLOW_ONLY: 'p,logs,nfts' }).FOLLOW_ONLY).toEqual(['p', 'nfts', 'messages']);
  expect(() => loadConfig({ FOLLOW_ONLY: 'constructor' })).toThrow(/FOLLOW_ONLY/);
  const day = { since: Date.UTC(2026, 0, 1) / 1000 };
  const both = { nfts: 5n, messages: day, 'nfts:7': 9n, 'messages:7': 9n };
  for (const given of ['nfts=5,logs=2026-01-01,logs:7=9', 'logs=2026-01-01,nfts=5,logs:7=9'])
    expect(loadConfig({ FOLLOW_FROM: given }).FOLLOW_FROM).toEqual(both);
});
