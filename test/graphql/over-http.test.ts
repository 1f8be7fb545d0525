import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { listen } from '../harness/listen.js';

let gateway: TestApp;
let url: string;
/** Statements that answered documents seen before. */
let prepared = 0;

beforeAll(async () => {
  gateway = await createApp();
  const { storage } = gateway.services;
  const read = storage.read.bind(storage);
  storage.read = (statement, values) => {
    if (statement.name.startsWith('operation:')) prepared += 1;
    return read(statement, values);
  };
  url = `${await listen(gateway.app)}/graphql`;
});

afterAll(() => gateway.close());

/** A field that is paid for, and read by one statement where the document was seen before. */
const paid = '{ utxos(network: fuji, blockchainId: "p-chain") { __typename } }';
const withPaid = (text: string) =>
  text.startsWith('mutation') ? text : text.replace('{ __typename }', paid);

/** Sends a document with the charged field in place of `__typename`, twice, and returns the second answer. */
const fetchSeen = async (input: string, { body, ...init }: { body?: string } = {}) => {
  const url = new URL(input);
  const { searchParams } = url;
  searchParams.forEach((text, name) => searchParams.set(name, withPaid(text)));
  const sent = { ...init, body: body?.replace('{ __typename }', JSON.stringify(paid).slice(1, -1)) };
  await (await fetch(url, sent)).text();
  return fetch(url, sent);
};

describe.each([
  ['of a new document', fetch],
  ['of documents that were seen before', fetchSeen],
])('GraphQL over HTTP, %s', (_name, fetchFn) => {
  const audits = serverAudits({ url: () => url, fetchFn });

  test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))(
    '%s',
    async (_audit, audit) => {
      const result = await audit.fn();
      expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
    },
  );

  test('there are as many audits as were known', () => {
    expect(audits.length).toBeGreaterThanOrEqual(61);
  });
});

test('audits of documents that were seen before are of answers by one statement', () => {
  expect(prepared).toBeGreaterThan(10);
});
