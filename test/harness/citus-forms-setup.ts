import { afterAll, expect } from 'vitest';
import { DriverSession } from '../../src/storage/driver-session.js';
import { PipelinedBatch } from '../../src/storage/pipelined-batch.js';
import { WholeStorage } from '../../src/storage/whole-storage.js';
import { refusedIn } from './citus-forms.js';

/**
 * Before every file of tests: storage's own doors note each statement that they send, and after the file none
 * of them may have a form that Citus refuses. There is no Citus in CI.
 */
const noted = new Map<string, string[]>();
const isNoting = Symbol.for('moraine.citus-forms');

function note(text: string, name?: string): void {
  if (!noted.has(text)) noted.set(text, refusedIn(text, name));
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Has a method of a class note the statement that it is called with first. */
function noteCalls(prototype: object, method: string): void {
  const methods = prototype as Record<string, Method>;
  const original = methods[method] as Method;
  methods[method] = function (...values) {
    const [statement] = values as [string | { text: string; name?: string }];
    if (typeof statement === 'string') note(statement);
    else note(statement.text, method === 'read' ? statement.name : undefined);
    return original.apply(this, values);
  };
}

// Files share the modules of their worker.
const worker = globalThis as { [isNoting]?: boolean };
if (!worker[isNoting]) {
  worker[isNoting] = true;
  noteCalls(DriverSession.prototype, 'query');
  noteCalls(DriverSession.prototype, 'copyOut');
  noteCalls(PipelinedBatch.prototype, 'query');
  noteCalls(WholeStorage.prototype, 'read');
}

afterAll(() => {
  const refused = [...noted].filter(([, forms]) => forms.length > 0);
  noted.clear();
  expect(refused, 'statements that Citus refuses once their tables are on workers').toEqual([]);
});
