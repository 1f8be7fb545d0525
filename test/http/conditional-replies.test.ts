import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileKinds, routes } from '../../src/resources.js';
import type { Reader } from '../../src/storage/reader.js';
import { createApp, type TestApp } from '../harness/app.js';
import { importRows } from '../harness/import-rows.js';
import { makeKey } from '../harness/keys.js';
import { addressOf, idOf, utxoRow } from '../harness/ledger-rows.js';
import { restPaths, unreadOf } from '../harness/rest-lists.js';
import { countStatements } from '../harness/statements.js';

let gateway: TestApp;
/** A request of each kind that each path of REST has. */
let paths: string[];
beforeAll(async () => {
  gateway = await createApp({ RATE_LIMITS: 'on' }, { sample: true });
  const all = await restPaths(gateway);
  expect(unreadOf(all)).toEqual([]);
  const every = [...all.lists.map(([path]) => path), ...all.objects];
  const byRoute = new Map<string, string[]>();
  for (const path of every) {
    const route = routeOf(path);
    byRoute.set(route.path, [...(byRoute.get(route.path) ?? []), path]);
  }
  // The first ones are of other networks, the last of other filters.
  paths = [...byRoute.values()].flatMap((some) => [...some.slice(0, 2), ...some.slice(2).slice(-3)]);
}, 60_000);
afterAll(() => gateway.close());

const routeOf = (path: string) => {
  const [bare = ''] = path.split('?');
  const found = routes.find(
    ({ method, path: template }) =>
      method === 'GET' && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
  );
  if (!found) throw new Error(`no route has ${path}`);
  return found;
};

const tagOf = ({ headers }: { headers: Record<string, string> }) => headers['etag'] ?? '';
const again = (path: string, tag: string, headers: Record<string, string> = {}) =>
  gateway.get(path, { 'if-none-match': tag, ...headers });
const outputs = (...owners: string[]) =>
  `/v1/networks/mainnet/blockchains/p-chain/utxos?pageSize=100&addresses=${owners.map((owner) => addressOf(owner)).join(',')}`;
const addOutput = (name: string, owner: string, fields: object = {}) =>
  importRows(gateway.storage, 'mainnet.p-chain.utxos', [
    utxoRow(name, { addresses: [addressOf(owner)], ...fields }),
  ]);

describe('a reply has a tag, and 304 is for who has it', () => {
  test('at every path, for what was found', async () => {
    let found = 0;
    for (const path of paths) {
      const first = await gateway.get(path);
      if (first.status !== 200) continue;
      found += 1;
      expect([path, tagOf(first), first.headers['cache-control']]).toEqual([
        path,
        expect.stringMatching(/^W\/"[\w-]{27}"$/),
        expect.stringMatching(/^(no-cache|public, max-age=\d+, stale-while-revalidate=\d+)$/),
      ]);
      const second = await again(path, tagOf(first));
      expect([path, second.status, second.text]).toEqual([path, 304, '']);
      for (const name of ['etag', 'cache-control', 'vary'])
        expect([path, second.headers[name]]).toEqual([path, first.headers[name]]);
    }
    expect(found).toBeGreaterThan(60);
  }, 60_000);

  test('as CSV it has another one', async () => {
    const accept = { accept: 'text/csv' };
    const path = '/v1/networks/fuji/blockchains/p-chain/utxos';
    const json = await gateway.get(path);
    const csv = await gateway.get(path, accept);
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    expect(tagOf(csv)).not.toBe(tagOf(json));
    expect((await again(path, tagOf(csv), accept)).status).toBe(304);
    expect((await again(path, tagOf(json), accept)).status).toBe(200);
  });

  test('by lists of tags, strong forms of them, and any', async () => {
    const path = '/v1/chains';
    const tag = tagOf(await gateway.get(path));
    for (const tags of [tag, tag.slice(2), '*', `"other", ${tag}`, `${tag},W/"other"`])
      expect([tags, (await again(path, tags)).status]).toEqual([tags, 304]);
    for (const tags of ['"other"', 'nothing', '']) expect((await again(path, tags)).status).toBe(200);
  });

  test('not where nothing was found, nor of what was refused', async () => {
    for (const path of [
      '/v1/chains/1',
      '/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=0',
      '/nothing',
    ]) {
      const reply = await again(path, '*');
      expect([reply.status >= 400, tagOf(reply), reply.headers['cache-control']]).toEqual([
        true,
        '',
        'no-store',
      ]);
    }
  });

  test('costs 1, and says what is left', async () => {
    const { key } = await makeKey(gateway, 'free');
    const headers = { 'x-service-api-key': key };
    const path = outputs('anna');
    const first = await gateway.get(path, headers);
    const left = (reply: typeof first) => Number(reply.headers['ratelimit-remaining']);
    const second = await again(path, tagOf(first), headers);
    expect([second.status, left(second)]).toEqual([304, left(first) - 1]);
    expect((await again(path, tagOf(first), headers)).status).toBe(304);
  });
});

describe('what an answer depends on', () => {
  /** Tables that are written under the lock of a network alone. */
  const written = new Set(
    fileKinds
      .map(({ rows }) => rows)
      .filter((kind) => kind.lock({ network: 'fuji', chain: 'p', evmChainId: 1n } as never) === 'fuji')
      .flatMap(({ tables }) => tables),
  );
  const ofOutputs = ['utxo', 'utxo_owner', 'asset', 'address', 'address_balance'];
  const tablesIn = (text: string) =>
    [...text.matchAll(/\b(?:FROM|JOIN)\s+([a-z_]+[a-z])\b(?!\()|,\s+([a-z_]+)\s+[a-z]\b(?=\s+WHERE)/g)]
      .flatMap(([, first, second]) => [first ?? second ?? ''])
      .filter((name) => /^[a-z_]+$/.test(name) && !['unnest', 'lateral'].includes(name));

  test('is written under the lock of its network, and is not the time', async () => {
    const { rows } = await gateway.storage.execute(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    const tables = new Set(rows.map((row) => (row as { name: string }).name));
    const declared = paths.filter((path) => routeOf(path).dataOf);
    expect(new Set(declared.map((path) => routeOf(path).path)).size).toBeGreaterThanOrEqual(10);
    for (const path of declared) {
      const texts: string[] = [];
      const restore = aroundRead(gateway, (text) => void texts.push(text));
      const { statements, result } = await countStatements(() => gateway.get(path));
      restore();
      // What followers do is read every few seconds, by whatever else runs in this process.
      const others = statements.filter((text) => !texts.includes(text) && !text.includes('follow_'));
      expect([path, others, texts.length > 0]).toEqual([path, [], true]);
      const read = new Set(texts.flatMap(tablesIn).filter((name) => tables.has(name)));
      const isOfOutputs = /addresses=/.test(path) && /utxos|listChainIds/.test(path);
      // The identities of networks are written under the locks of all of them (write/transaction.ts).
      const allowed = [...(isOfOutputs ? ofOutputs : written), 'follow_network'];
      expect([path, [...read].filter((name) => !allowed.includes(name))]).toEqual([path, []]);
      expect(texts.join()).not.toMatch(/\b(now|clock_timestamp|current_date)\b/i);
      const before = gateway.clock.now;
      gateway.clock.now += 400 * 86_400_000;
      const later = await gateway.get(path);
      gateway.clock.now = before;
      const bare = (text: string) => text.replace(/"nextPageToken":"[^"]+"/, '');
      expect([path, bare(later.text)]).toEqual([path, bare(result.text)]);
    }
  }, 60_000);
});

describe('while rows are written', () => {
  test('an address that they do not touch is answered by its versions alone', async () => {
    await addOutput('first of bert', 'bert');
    const path = outputs('bert');
    const tag = tagOf(await gateway.get(path));
    expect((await again(path, tag)).status).toBe(304);
    let byVersions = 0;
    for (let commit = 0; commit < 40; commit += 1) {
      await addOutput(`elsewhere ${commit}`, `other ${commit}`);
      const { result, statements } = await countStatements(() => again(path, tag));
      expect(result.status).toBe(304);
      if (statements.length === 1) byVersions += 1;
    }
    expect(byVersions).toBeGreaterThanOrEqual(38);
  });

  test('one that they touch is answered anew: by an output, its spending, and the name of its asset', async () => {
    const path = outputs('carl', 'dora');
    const asset = (name: string) => ({
      asset: { assetId: idOf('coin'), name, symbol: 'C', denomination: 1, type: 'secp256k1', amount: '5' },
      assetId: undefined,
      amount: undefined,
    });
    const spent = { consumingTxHash: idOf('spender'), consumingBlockTimestamp: 1_700_000_000 };
    const steps = [
      () => addOutput('of dora', 'dora'),
      () => addOutput('of carl', 'carl', asset('First')),
      () => addOutput('of zoe', 'zoe', asset('Second')),
      () => addOutput('of dora', 'dora', spent),
    ];
    let tag = tagOf(await gateway.get(path));
    for (const [index, step] of steps.entries()) {
      expect((await again(path, tag)).status).toBe(304);
      await step();
      const reply = await again(path, tag);
      expect([index, reply.status]).toEqual([index, 200]);
      expect(reply.text).toBe((await gateway.get(path)).text);
      tag = tagOf(reply);
    }
  });

  test('a transaction is answered anew when one of its outputs is spent', async () => {
    const { rows } = await gateway.storage.execute(
      `SELECT t.tx_hash AS hash, u.utxo_id AS id, u.output_index AS index, u.addresses::text AS owners
       FROM transaction t JOIN transaction_output o ON o.transaction_id = t.id JOIN utxo u ON u.id = o.utxo_row_id
       WHERE t.network = 'fuji' AND t.chain = 'p' AND u.consuming_tx_hash IS NULL AND u.tx_hash = t.tx_hash LIMIT 1`,
    );
    const { hash } = rows[0] as { hash: string };
    const path = `/v1/networks/fuji/blockchains/p-chain/transactions/${hash}`;
    const first = await gateway.get(path);
    expect((await again(path, tagOf(first))).status).toBe(304);
    const { result, statements } = await countStatements(() => again(path, tagOf(first)));
    expect([result.status, statements.length]).toEqual([304, 1]);
    const [output] = first.body.emittedUtxos.filter(
      (each: { consumingTxHash?: string }) => !each.consumingTxHash,
    );
    const spent = {
      ...output,
      consumingTxHash: idOf('spender'),
      consumingBlockTimestamp: 1_790_000_000,
    };
    await importRows(gateway.storage, 'fuji.p-chain.utxos', [spent]);
    const reply = await again(path, tagOf(first));
    expect([reply.status, reply.text === first.text]).toEqual([200, false]);
  });

  test('page tokens are of their hour, and so is the answer that has them', async () => {
    const path = '/v1/networks/fuji/blockchains/p-chain/utxos?pageSize=1';
    const first = await gateway.get(path);
    expect((await again(path, tagOf(first))).status).toBe(304);
    gateway.clock.now += 3_600_000;
    const later = await again(path, tagOf(first));
    gateway.clock.now -= 3_600_000;
    expect([later.status, later.body.nextPageToken === first.body.nextPageToken]).toEqual([200, false]);
  });

  // A commit may come after the versions were read, or after the data were, before the reply.
  test.each(['write versions', 'utxos'])('a commit right after "%s" is in the next answer', async (which) => {
    const owner = `barrier ${which}`;
    await addOutput(`${owner} 0`, owner);
    const path = outputs(owner);
    let tag = tagOf(await gateway.get(path));
    for (let round = 1; round <= 5; round += 1) {
      let committed = 0;
      const restore = aroundRead(gateway, async (_text, name) => {
        if (!name.startsWith(which)) return;
        if (committed === 0) await addOutput(`${owner} ${round}`, owner);
        committed += 1;
      });
      const during = await again(path, '"none"');
      restore();
      expect([during.status, committed]).toEqual([200, 1]);
      const known = during.body.utxos.length as number;
      expect(known).toBe(which === 'utxos' ? round : round + 1);
      const next = await again(path, tagOf(during));
      // 304 exactly if the reply had the output already.
      expect(next.status).toBe(which === 'utxos' ? 200 : 304);
      const final = await gateway.get(path);
      expect(final.body.utxos).toHaveLength(round + 1);
      if (next.status === 304) expect(tagOf(next)).toBe(tagOf(final));
      else expect(next.text).toBe(final.text);
      expect((await again(path, tag)).status).toBe(200);
      tag = tagOf(final);
    }
  });
});

describe('what is of the settled past may be used for an hour without a question', () => {
  const settled = 'max-age=3600, stale-while-revalidate=86400';
  const chain = '/v1/networks/fuji/blockchains/p-chain';
  const controlOf = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await gateway.get(path, headers);
    expect([path, reply.status]).toEqual([path, 200]);
    const same = await again(path, tagOf(reply), headers);
    expect([path, same.status, same.headers['cache-control']]).toEqual([
      path,
      304,
      reply.headers['cache-control'],
    ]);
    return reply.headers['cache-control'];
  };
  const rowsOf = async (sql: string) => (await gateway.storage.execute(sql)).rows as Record<string, string>[];

  test('a block, by others alike, and with a key by its own caches', async () => {
    const [row] = await rowsOf(
      `SELECT number::text, timestamp::text AS time FROM block WHERE network = 'fuji' AND chain = 'p' ORDER BY number LIMIT 1`,
    );
    const path = `${chain}/blocks/${row!['number']}`;
    expect(await controlOf(path)).toBe(`public, ${settled}`);
    const { key } = await makeKey(gateway, 'free');
    expect(await controlOf(path, { 'x-service-api-key': key })).toBe(`private, ${settled}`);
    const { now } = gateway.clock;
    gateway.clock.now = (Number(row!['time']) + 86_300) * 1000;
    expect(await controlOf(path)).toBe('no-cache');
    expect(await controlOf(path, { 'x-service-api-key': key })).toBe('private, no-cache');
    gateway.clock.now = now;
  });

  test('a transaction of which all outputs are spent, and none that has one left', async () => {
    const transactions = (what: string) =>
      rowsOf(`SELECT t.tx_hash AS hash FROM transaction t
        JOIN transaction_output o ON o.transaction_id = t.id JOIN utxo u ON u.id = o.utxo_row_id
        WHERE t.network = 'fuji' AND t.chain = 'p' GROUP BY t.id, t.tx_hash
        HAVING ${what} ORDER BY 1 LIMIT 5`);
    const spent = await transactions(
      `bool_and(coalesce(NOT u.staked AND u.consuming_block_timestamp < ${Math.floor(gateway.clock.now / 1000) - 90_000}, false))`,
    );
    const unspent = await transactions('bool_or(u.consuming_tx_hash IS NULL)');
    expect([spent.length, unspent.length]).toEqual([5, 5]);
    for (const { hash } of spent) {
      expect(await controlOf(`${chain}/transactions/${hash}`)).toBe(`public, ${settled}`);
    }
    for (const { hash } of unspent) expect(await controlOf(`${chain}/transactions/${hash}`)).toBe('no-cache');
  });

  test('a list of blocks or of metrics that ends', async () => {
    const day = Math.floor(gateway.clock.now / 86_400_000) * 86_400;
    for (const list of [`${chain}/blocks`, '/v2/networks/fuji/metrics/validatorCount']) {
      expect(await controlOf(`${list}?endTimestamp=${day - 3 * 86_400}`)).toBe(`public, ${settled}`);
      for (const open of [list, `${list}?endTimestamp=${day}`, `${list}?endTimestamp=${day + 86_400}`])
        expect(await controlOf(open)).toBe('no-cache');
    }
    expect(await controlOf(`${chain}/utxos`)).toBe('no-cache');
  });
});

/** Runs work after each read, before its rows are used; undone by what it returns. */
function aroundRead(
  { storage }: TestApp,
  work: (text: string, name: string) => Promise<void> | void,
): () => void {
  const read: Reader['read'] = storage.read.bind(storage);
  storage.read = async <Row extends object>(...[statement, ...more]: Parameters<Reader['read']>) => {
    const rows = await read<Row>(statement, ...more);
    await work(statement.text, statement.name);
    return rows;
  };
  return () => (storage.read = read);
}

describe('GraphQL by GET', () => {
  const ask = (query: string, headers: Record<string, string> = {}) =>
    gateway.get(`/graphql?${new URLSearchParams({ query })}`, headers);
  const query = '{ utxos(network: fuji, blockchainId: "p-chain", first: 3) { nodes { utxoId amount } } }';

  test('has a tag of its data, whoever runs it and whatever is left of the plan', async () => {
    const first = await ask(query);
    expect([first.status, tagOf(first), first.headers['cache-control']]).toEqual([
      200,
      expect.stringMatching(/^W\/"[\w-]{27}"$/),
      'no-cache',
    ]);
    for (let time = 0; time < 3; time += 1) {
      const second = await ask(query, { 'if-none-match': tagOf(first) });
      expect([second.status, second.text, tagOf(second)]).toEqual([304, '', tagOf(first)]);
    }
    const other = await ask(query.replace('amount', 'txHash'), { 'if-none-match': tagOf(first) });
    expect(other.status).toBe(200);
    const { key } = await makeKey(gateway, 'free');
    const ofKey = await ask(query, { 'x-service-api-key': key });
    expect([tagOf(ofKey), ofKey.headers['cache-control']]).toEqual([tagOf(first), 'private, no-cache']);
    const type = { accept: 'application/graphql-response+json' };
    expect(tagOf(await ask(query, type))).not.toBe(tagOf(first));
  });

  test('has none for errors, nor by POST', async () => {
    for (const wrong of [
      '{ nothing }',
      '{ utxos(network: fuji, blockchainId: "p-chain", first: 1000) { totalCount } }',
    ]) {
      const reply = await ask(wrong, { 'if-none-match': '*' });
      expect([reply.status === 304, tagOf(reply), reply.headers['cache-control']]).toEqual([
        false,
        '',
        'no-store',
      ]);
    }
    const posted = await gateway.post(
      '/graphql',
      { 'content-type': 'application/json', 'if-none-match': '*' },
      JSON.stringify({ query }),
    );
    expect([posted.status, tagOf(posted), posted.headers['cache-control']]).toEqual([200, '', 'no-store']);
  });
});
