import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { toEventSelector } from 'viem';
import { expect, test } from 'vitest';
import { tokenTopics } from '../../../src/avalanche/evm-events.js';
import { messageTopics } from '../../../src/follow/evm/teleporter-events.js';
import { messengerAbi, messengerV2Abi } from '../../harness/message-chain.js';

/** What tests that follow a chain are written with. */
const texts = ['test/follow', 'test/harness', 'test/networks']
  .map((folder) => resolve(import.meta.dirname, '../../..', folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  )
  .join('\n');

const events = [...messengerAbi, ...messengerV2Abi].filter((item) => item.type === 'event');

test('every event of messengers that is followed is logged by a test, as its interface declares it', () => {
  expect([...messageTopics].sort()).toEqual([...new Set(events.map((each) => toEventSelector(each)))].sort());
  const logged = (name: string) => new RegExp(`logsEvent\\(\\s*'${name}'`).test(texts);
  expect(events.map(({ name }) => name).filter((name) => !logged(name))).toEqual([]);
});

test('every event of tokens that is followed is logged by a test', () => {
  expect(Object.entries(tokenTopics).filter(([, topic]) => !texts.includes(topic))).toEqual([]);
});
