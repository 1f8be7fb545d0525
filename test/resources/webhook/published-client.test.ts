import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, idOf } from '../../harness/ledger-rows.js';
import { makeKey } from '../../harness/keys.js';
import { poolOf } from '../../harness/connections.js';
import { openWebhooks, type WebhookGateway } from '../../harness/webhooks.js';

let gateway: WebhookGateway;
beforeAll(async () => {
  gateway = await openWebhooks({ WORKER: 'off', MAX_WEBHOOKS: '3', MAX_WEBHOOK_ADDRESSES: '3' });
});
afterAll(() => gateway.close());

const of = (url: string) => ({
  eventType: 'validator_activity' as const,
  url,
  network: 'fuji' as const,
  metadata: {
    keyType: 'subnetId' as const,
    keys: [idOf('a subnet')],
    subEvents: { validatorActivitySubEvents: ['l1_validator_balance_threshold' as const] },
    nodeIds: ['NodeID-A9B1z9N9GzNK376G2qDV5et6dusVADSb3'],
    l1ValidatorFeeBalanceThreshold: '1000',
  },
});

const post = (body: object, headers: Record<string, string> = { 'x-service-api-key': gateway.key! }) =>
  gateway.post('/v1/webhooks', { 'content-type': 'application/json', ...headers }, JSON.stringify(body));

test('the published client creates, lists, reads, changes and deactivates webhooks of both kinds', async () => {
  const { client, options } = gateway;
  const id = await gateway.watch('https://wallet.example/a', ['anna']);
  const validators = await client.webhooks.create(of('https://wallet.example/v'), options);
  const { eventType, url, metadata } = of('https://wallet.example/v');
  expect(validators).toMatchObject({ eventType, url, metadata, status: 'active' });
  const read = await client.webhooks.get({ id }, options);
  expect(read).toMatchObject({
    id,
    eventType: 'primary_network_address_activity',
    chainId: '11111111111111111111111111111111LpoYY',
    name: '',
    metadata: { keyType: 'addresses', keys: [addressOf('anna')] },
  });
  const changed = await client.webhooks.update(
    { id, updateWebhookRequest: { name: 'Anna', url: 'https://wallet.example/b' } },
    options,
  );
  expect(changed).toMatchObject({ name: 'Anna', url: 'https://wallet.example/b', description: '' });
  expect(await client.webhooks.deactivate({ id }, options)).toMatchObject({ id, status: 'inactive' });
  const ids = async (status?: 'active' | 'inactive') => {
    const found: string[] = [];
    for await (const { result } of await client.webhooks.list({ pageSize: 1, status }, options))
      found.push(...result.webhooks.map((each) => each.id));
    return found;
  };
  expect(await ids()).toEqual([id, validators.id]);
  expect(await ids('active')).toEqual([validators.id]);
  expect(await ids('inactive')).toEqual([id]);
  const again = await client.webhooks.update({ id, updateWebhookRequest: { status: 'active' } }, options);
  expect(again.status).toBe('active');
});

test('it adds, lists and removes addresses, as many as the setting says and never the last', async () => {
  const { client, options } = gateway;
  const id = await gateway.watch('https://wallet.example/c', ['anna']);
  const change = (names: string[]) => ({
    id,
    addressesChangeRequest: { addresses: names.map((name) => addressOf(name)) },
  });
  const added = await client.webhooks.addresses.add(change(['ben', 'anna', 'carla']), options);
  expect(added.metadata.addresses).toHaveLength(3);
  const listed: string[] = [];
  for await (const { result } of await client.webhooks.addresses.list({ id, pageSize: 2 }, options)) {
    expect(result.totalAddresses).toBe(3);
    listed.push(...result.addresses);
  }
  expect(new Set(listed)).toEqual(new Set(['anna', 'ben', 'carla'].map((name) => addressOf(name))));
  await expect(client.webhooks.addresses.add(change(['dora']), options)).rejects.toThrow(/at most 3/);
  await client.webhooks.addresses.remove(change(['ben', 'carla']), options);
  await expect(client.webhooks.addresses.remove(change(['anna']), options)).rejects.toThrow(/deactivate/);
  await client.webhooks.deactivate({ id }, options);
});

test('it makes, reads and rotates the secret, which the database has only encrypted', async () => {
  const { client, options } = gateway;
  const { secret } = await client.webhooks.getSharedSecret(options);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  const rotated = await client.webhooks.generateOrRotateSharedSecret(options);
  expect(rotated.secret).not.toBe(secret);
  expect(await client.webhooks.getSharedSecret(options)).toEqual(rotated);
  const { rows } = await poolOf(gateway.storage).query<{ sealed: string }>(
    `SELECT encode(sealed, 'hex') AS sealed FROM webhook_secret`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.sealed).not.toContain(rotated.secret);
});

test('webhooks need a key, and are not there for another one', async () => {
  const id = await gateway.watch('https://wallet.example/d', ['anna']);
  expect((await post(of('https://wallet.example/e'), {})).status).toBe(401);
  expect((await gateway.get('/v1/webhooks')).status).toBe(401);
  const other = { 'x-service-api-key': (await makeKey(gateway, 'free')).key };
  expect((await gateway.get('/v1/webhooks', other)).body).toEqual({ webhooks: [] });
  expect((await gateway.get(`/v1/webhooks/${id}`, other)).status).toBe(404);
  expect((await gateway.get('/v1/webhooks:getSharedSecret', other)).status).toBe(404);
  const reply = await gateway.app.inject({ method: 'DELETE', url: `/v1/webhooks/${id}`, headers: other });
  expect(reply.statusCode).toBe(404);
  const mine = await gateway.get(`/v1/webhooks/${id}`, { 'x-service-api-key': gateway.key! });
  expect(mine.body).toMatchObject({ status: 'active', queuedEvents: 0 });
});

test('no more than the setting says are active, and the oldest inactive one makes room', async () => {
  const { client, options } = gateway;
  const { rows } = await poolOf(gateway.storage).query<{ id: string; active: boolean }>(
    'SELECT public_id AS id, is_active AS active FROM webhook ORDER BY webhook.id',
  );
  for (const { id } of rows.filter(({ active }) => active)) await client.webhooks.deactivate({ id }, options);
  const ids = [];
  for (const name of ['1', '2', '3'])
    ids.push(await gateway.watch(`https://wallet.example/${name}`, ['anna']));
  await expect(gateway.watch('https://wallet.example/4', ['anna'])).rejects.toThrow(
    /3 active webhooks; at most 3/,
  );
  await client.webhooks.deactivate({ id: ids[0]! }, options);
  const last = await gateway.watch('https://wallet.example/4', ['anna']);
  const { rows: left } = await poolOf(gateway.storage).query<{ id: string }>(
    'SELECT public_id AS id FROM webhook ORDER BY webhook.id',
  );
  expect(left.map(({ id }) => id)).toEqual([ids[1], ids[2], last]);
});

test('what cannot be is refused in words', async () => {
  const url = 'https://wallet.example/f';
  const address = { keyType: 'addresses', keys: [addressOf('anna')] };
  const ofAddresses = (metadata: object, more: object = {}) => ({
    eventType: 'primary_network_address_activity',
    url,
    network: 'mainnet',
    chainId: 'p-chain',
    metadata: { ...address, subEvents: { addressActivitySubEvents: ['balance_change'] }, ...metadata },
    ...more,
  });
  const threshold = { subEvents: { addressActivitySubEvents: ['balance_threshold'] } };
  const wrong: [RegExp, object][] = [
    [/whole EVM transactions/, { eventType: 'address_activity', url, chainId: '43114', metadata: {} }],
    [/url: .*not a host of the public internet/, ofAddresses({}, { url: 'http://10.0.0.1/' })],
    [/url: .*user name/, ofAddresses({}, { url: 'https://a:b@wallet.example/' })],
    [/url: "ftp/, ofAddresses({}, { url: 'ftp://wallet.example/' })],
    [/balanceType, balanceThreshold: are missing/, ofAddresses(threshold)],
    [
      /balanceType: the p-chain has no locked/,
      ofAddresses({ ...threshold, balanceThresholdFilter: { balanceType: 'locked', balanceThreshold: '1' } }),
    ],
    [
      /keys: has 2 keys; exactly one/,
      { ...of(url), metadata: { ...of(url).metadata, keys: [idOf('a'), idOf('b')] } },
    ],
    [
      /subEvents: "nothing" is not one of/,
      ofAddresses({ subEvents: { addressActivitySubEvents: ['nothing'] } }),
    ],
    [/eventSignatures: is not supported/, ofAddresses({ eventSignatures: ['0x'] })],
    [/metadata: was given as "meta_data"/, { ...ofAddresses({}), meta_data: {} }],
  ];
  for (const [message, body] of wrong) {
    const reply = await post(body);
    expect([reply.status, [reply.body.message].flat().join('; ')]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  }
});
