import type pg from 'pg';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openDatabase } from '../../src/open-database.js';
import { expect, onTestFinished, test } from 'vitest';
import { sortKeyOf } from '../../src/avalanche/sort-key.js';
import { createApp, type TestApp } from '../harness/app.js';
import { addresses, hashAt } from '../harness/evm-rows.js';
import { databaseOf, hasHistory } from '../harness/history.js';
import { addressOf, idOf } from '../harness/ledger-rows.js';

const ISSUED_AT = Date.UTC(2026, 10, 28, 6);
const SECOND = 1_700_000_000;
const numbers = [1890, 1892, 1894, 1896, 1897];
const owner = addressOf('anna');

const oldestHashFirst = (names: readonly string[]) => names.map(idOf).toSorted();
const transactions = oldestHashFirst(numbers.map((number) => `in ${number}`)).reverse();
const vertices = oldestHashFirst(numbers.map((number) => `vertex ${number}`)).reverse();
const messages = numbers.map((number) => hashAt(number).slice(2)).reverse();

const keyOf = (key: string, number: number) => {
  if (key === 'messageId') return hashAt(number).slice(2);
  return idOf(`${key === 'txHash' ? 'in' : 'vertex'} ${number}`);
};

/** Lists of rows of one second in their former order, with the cursor of the second row. */
const lists: [text: string, key: string, order: string[], token: string][] = [
  [
    'transactions(network: mainnet, blockchainId: "p-chain"',
    'txHash',
    transactions,
    '966f0f76-9591-4ea1-aed0-ca6aba75efcd',
  ],
  [
    'transactions(network: mainnet, blockchainId: "p-chain", txType: BaseTx',
    'txHash',
    transactions,
    '4af7d763-a0d3-4947-af1b-e5a17adbc67c',
  ],
  [
    `transactions(network: mainnet, addresses: ["${owner}"]`,
    'txHash',
    transactions,
    '66b2ee0c-5c82-4c46-981d-2c86fd70a7b6',
  ],
  ['vertices(network: mainnet', 'vertexHash', vertices, '6e29b539-65e0-4e1a-acf6-05f89e5511bf'],
  ['icmMessages(network: mainnet', 'messageId', messages, '4a2e02d9-5876-4204-a4c9-e1f202987180'],
];

const details = JSON.stringify({
  value: [],
  amountBurned: [],
  amountStaked: [],
  amountL1ValidatorBalanceBurned: [],
});

/** Rows as the version before stored them. */
async function fill(client: pg.Client): Promise<void> {
  await client.query('INSERT INTO installation (id, secret) VALUES ($1, $2)', [
    '5b8f0f3e-3f0c-4e55-8d5a-2f1c6f0a9b11',
    Buffer.alloc(32, 7),
  ]);
  await client.query(`INSERT INTO address (id, network, address) VALUES (100, 'mainnet', $1)`, [owner]);
  await client.query(
    `INSERT INTO icm_chain (id, network, blockchain_id, evm_chain_id) VALUES (1, 'mainnet', $1, 1001)`,
    [idOf('chain 1')],
  );
  for (const number of numbers) {
    const id = number;
    const hash = idOf(`in ${number}`);
    const row = [id, hash, SECOND, sortKeyOf(hash)];
    await client.query(
      `INSERT INTO transaction (id, network, chain, tx_hash, tx_type, block_timestamp, block_number, details, tie)
       VALUES ($1, 'mainnet', 'p', $2, 'BaseTx', $3, ${number}, '${details}', $4)`,
      row,
    );
    await client.query(
      `INSERT INTO address_transaction (transaction_id, address_id, chain, tx_type, time, tie)
       SELECT id, 100, chain, tx_type, block_timestamp, tie FROM transaction WHERE id = $1`,
      [id],
    );
    await client.query(
      `INSERT INTO vertex (id, network, vertex_hash, parent_hashes, height, index, timestamp, tx_count, size_bytes)
       VALUES ($1, 'mainnet', $2, '{}', ${number}, 0, $3, 0, 100)`,
      [id, idOf(`vertex ${number}`), SECOND],
    );
    await client.query(
      `INSERT INTO icm_message (id, network, message_id, source_id, destination_id, from_address, to_address, timestamp, details)
       VALUES ($1, 'mainnet', $2, 1, 1, $3, $3, $4, '{"messageExecuted": false}')`,
      [id, `\\x${hashAt(number).slice(2)}`, `\\x${addresses[0].slice(2)}`, SECOND],
    );
  }
}

async function keysOf(gateway: TestApp, text: string, key: string, after = '') {
  const { data, errors } = await gateway.graphql<{ list: { nodes: Record<string, string>[] } | null }>(
    `{ list: ${text}, first: 10, after: "${after}") { nodes { ${key} } } }`,
  );
  return { keys: data.list?.nodes.map((node) => node[key]), refusal: errors?.[0]?.message };
}

/** The table of the rows of each list, by its key. */
const tables: Record<string, string> = {
  txHash: 'transaction',
  vertexHash: 'vertex',
  messageId: 'icm_message',
};

/** Gives rows their times: those of transactions are also in the history of the address. */
async function setTimes(client: pg.Client, table: string, timeOf: (number: number) => number): Promise<void> {
  for (const number of numbers) {
    const time = timeOf(number);
    await client.query(
      `UPDATE ${table} SET ${table === 'transaction' ? 'block_timestamp' : 'timestamp'} = $2 WHERE id = $1`,
      [number, time],
    );
    if (table === 'transaction')
      await client.query('UPDATE address_transaction SET time = $2 WHERE transaction_id = $1', [
        number,
        time,
      ]);
  }
}

test.skipIf(!hasHistory)(
  'a token that was issued before lists had the order of blocks goes on where it was, if no other row has the second of its row, and else is refused: no row comes twice, and none is missing',
  async () => {
    const { url, client } = await databaseOf('362b4d5c');
    await fill(client);
    const config = loadConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' });
    await (await openDatabase(config, pino({ level: 'silent' }))).close();
    const gateway = await createApp({}, { reach: () => url });
    onTestFinished(() => gateway.close());
    gateway.clock.now = ISSUED_AT + 3_600_000;
    let wentOn = 0;
    for (const [text, key, former, token] of lists) {
      // The token is that of the second row: whatever the times of the others are, it is the same.
      const own = numbers.find((number) => keyOf(key, number) === former[1]) as number;
      for (let others = 0; others < 2 ** numbers.length; others += 1) {
        if ((others >> numbers.indexOf(own)) % 2 === 1) continue;
        const timeOf = (number: number) => {
          const isThen = (others >> numbers.indexOf(number)) % 2 === 0;
          return isThen ? SECOND : SECOND + number - own;
        };
        await setTimes(client, tables[key] as string, timeOf);
        const rows = numbers.map((number) => ({ key: keyOf(key, number), number, time: timeOf(number) }));
        const inOrder = (isFirst: (a: (typeof rows)[number], b: (typeof rows)[number]) => boolean) =>
          rows.toSorted((a, b) => b.time - a.time || (isFirst(a, b) ? -1 : 1)).map((each) => each.key);
        const before = inOrder((a, b) => a.key > b.key);
        const now = key === 'messageId' ? before : inOrder((a, b) => a.number > b.number);
        const rest = (order: string[]) => order.slice(order.indexOf(former[1] as string) + 1);
        const { keys, refusal = '' } = await keysOf(gateway, text, key, token);
        // No message of before has the place of its log.
        const goesOn = key === 'messageId' || rows.filter(({ time }) => time === SECOND).length === 1;
        if (goesOn) expect(rest(now)).toEqual(rest(before));
        expect([text, others, keys]).toEqual([text, others, goesOn ? rest(now) : undefined]);
        if (!goesOn)
          expect(refusal).toMatch(/ names a row that .* moved since; start again from the first page/);
        wentOn += Number(goesOn);
      }
    }
    expect(wentOn).toBe(lists.length - 1 + 16);
  },
);
