import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { make, missingOf } from './harness/client.js';
import { relayCompiler } from './harness/tools.js';

const missing = missingOf(relayCompiler);
const schema = fileURLToPath(new URL('../../schema.graphql', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'moraine-relay-'));
const trusted = join(folder, 'trusted');
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(missing.length > 0)(
  `the file of Relay's compiler${missing.length > 0 ? ` (skipped: there is no ${missing.join(', ')})` : ''}`,
  () => {
    let gateway: TestApp;
    /** Its documents by their ids. */
    let documents: Record<string, string>;
    beforeAll(async () => {
      const { cwd } = await make(relayCompiler, folder, schema);
      cpSync(join(cwd, 'persisted.json'), join(trusted, 'persisted.json'));
      documents = JSON.parse(readFileSync(join(trusted, 'persisted.json'), 'utf8')) as Record<string, string>;
      gateway = await createApp({ TRUSTED_OPERATIONS: trusted }, { sample: true });
    });
    afterAll(() => gateway?.close());

    const post = (body: object) =>
      gateway.post('/graphql', { 'content-type': 'application/json' }, JSON.stringify(body));

    test('names what a closed gateway answers, and nothing else', async () => {
      const [id] = Object.keys(documents);
      expect(Object.keys(documents)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
      const { status, body } = await post({ doc_id: id, variables: { first: 3 } });
      expect([status, body.errors]).toEqual([200, undefined]);
      expect(body.data.utxos.edges).toHaveLength(3);
      expect(body.data.utxos.edges[0].node).toMatchObject({ id: expect.any(String), __typename: 'Utxo' });
      expect((await post({ query: documents[id ?? ''], variables: { first: 1 } })).status).toBe(200);
      expect((await post({ query: '{ chainStatus { network } }' })).status).toBe(403);
    });
  },
);
