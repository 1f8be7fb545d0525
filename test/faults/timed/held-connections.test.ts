import { test } from 'vitest';
import { holdBodies, readNothing, resetPipelines } from '../harness/attacks.js';
import { whileAttacked } from '../harness/while-attacked.js';

test('300 half-open bodies take no slot from anybody', () =>
  whileAttacked('300 half-open bodies', 8, holdBodies));

test('pipelined requests whose connection is reset give their slots back', () =>
  whileAttacked('pipelined requests, reset', 6, resetPipelines));

test('300 readers of a large reply that never read hold neither slots nor memory for long', () =>
  whileAttacked('300 slow readers', 12, readNothing));

test('all three at once: a caller with a key of its own gets right answers alone', () =>
  whileAttacked('half-open bodies, slow readers and resets at once, 60 s', 60, (url) => {
    const attacks = [holdBodies, readNothing, resetPipelines].map((begin) => begin(url));
    return { stop: async () => void (await Promise.all(attacks.map(({ stop }) => stop()))) };
  }));
