import { test } from 'vitest';
import { holdBodies, readNothing, resetPipelines, type Attack } from '../harness/attacks.js';
import { whileAttacked } from '../harness/attacked.js';

/** An attack that needs only the gateway's address. */
const at =
  (attack: (url: string) => Attack) =>
  ({ url }: { url: string }) =>
    attack(url);

test('300 half-open bodies take no slot from anybody', () =>
  whileAttacked('300 half-open bodies', 8, at(holdBodies)));

test('pipelined requests whose connection is reset give their slots back', () =>
  whileAttacked('pipelined requests, reset', 6, at(resetPipelines)));

test('300 readers of a large reply that never read hold neither slots nor memory for long', () =>
  whileAttacked('300 slow readers', 12, at(readNothing)));

test('all three at once: a caller with a key of its own gets right answers alone', () =>
  whileAttacked('half-open bodies, slow readers and resets at once, 30 s', 30, ({ url }) => {
    const attacks = [holdBodies, readNothing, resetPipelines].map((begin) => begin(url));
    return { stop: async () => void (await Promise.all(attacks.map(({ stop }) => stop()))) };
  }));
