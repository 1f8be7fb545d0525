import { describe, expect, test } from 'vitest';
import { createApp } from '../harness/app.js';
import { poolOf } from '../harness/connections.js';
import { listPath, listQuery } from '../harness/keys.js';

describe('a fault of ours', () => {
  test('is a 500 without internal text, on both doors', async () => {
    const broken = await createApp();
    broken.storage.read = () => Promise.reject(new Error('secret internals: SELECT * FROM utxo'));
    const { status, body, text } = await broken.get(listPath);
    expect([status, body]).toEqual([
      500,
      { message: 'Internal server error', error: 'Internal Server Error', statusCode: 500 },
    ]);
    const reply = await broken.graphql(listQuery);
    expect(reply.errors?.[0]).toMatchObject({
      message: 'Internal server error',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    });
    expect(text + JSON.stringify(reply)).not.toContain('secret');
    await broken.close();
  });

  test('a database that is gone is a 503 with retry-after in whole seconds, on both doors', async () => {
    const orphan = await createApp();
    await poolOf(orphan.storage).end();
    const { status, body, headers } = await orphan.get(listPath);
    expect([status, body.error]).toEqual([503, 'Service Unavailable']);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    const reply = await orphan.app.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query: listQuery },
    });
    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(reply.json()).toMatchObject({ errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] });
    await orphan.app.close();
  });
});
