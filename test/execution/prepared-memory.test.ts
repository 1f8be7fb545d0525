import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { holdConnection } from '../harness/connections.js';
import { readSample } from '../harness/sample.js';

const [{ addresses } = { addresses: [''] }] = readSample().utxosOf('p');
const MIB = 1024 * 1024;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ DATABASE_POOL: '1' }, { sample: true });
});
afterAll(() => gateway.close());

/** A document of one list or of three, whose statement is long then: each alias makes another text of it. */
function document(index: number): string {
  const lists = [0, 1, 2].slice(index % 4 === 0 ? 0 : 2).map(
    (
      position,
    ) => `l${position}of${index}: utxos(blockchainId: "p-chain", first: ${1 + position}, minUtxoAmount: "${index}") {
      nodes { utxoId amount addresses creatingTransaction { txHash txType } consumingTransaction { txHash txType } } }`,
  );
  return `{ address(network: fuji, address: "${addresses[0]}") { ${lists.join(' ')} } }`;
}

/** The memory of the gateway's one backend, and its part for prepared statements, bytes; and their names. */
async function kept() {
  const client = await holdConnection(gateway.storage);
  try {
    const { rows } = await client.query<{ all: string; prepared: string; names: string[] }>(
      `SELECT sum(total_bytes) AS all, sum(total_bytes) FILTER (WHERE name LIKE 'CachedPlan%') AS prepared,
         (SELECT array_agg(name) FROM pg_prepared_statements) AS names
       FROM pg_backend_memory_contexts`,
    );
    const [row] = rows;
    return { all: Number(row?.all), prepared: Number(row?.prepared ?? 0), names: row?.names ?? [] };
  } finally {
    client.release();
  }
}

// Behind a pooler the connection is another one each time.
test.skipIf(inject('poolerPort') !== undefined)(
  'documents without end, each with aliases of its own, fill 16 MiB of a backend and push none of our statements out',
  async () => {
    const path = `/v1/networks/fuji/blockchains/p-chain/utxos?addresses=${addresses[0]}`;
    expect(await gateway.get(path)).toMatchObject({ status: 200 });
    const ours = (await kept()).names.filter((name) => name.startsWith('utxos_'));
    expect(ours).toHaveLength(1);
    for (let index = 0; index < 80; index += 1) {
      const replies = [await gateway.graphql(document(index)), await gateway.graphql(document(index))];
      for (const { errors } of replies) expect(errors).toBeUndefined();
      expect(replies[1]?.data).toEqual(replies[0]?.data);
    }
    const { prepared, names } = await kept();
    const clients = names.filter((name) => name.startsWith('operation:'));
    // Those of the last documents are prepared: some are kept, not none.
    expect(clients.length).toBeGreaterThan(5);
    expect(clients.length).toBeLessThan(60);
    expect(prepared).toBeLessThan(20 * MIB);
    expect(names).toEqual(expect.arrayContaining(ours));

    const { text } = await gateway.get('/metrics');
    const metric = (name: string, of: string) =>
      Number(
        new RegExp(`^moraine_database_prepared_${name}{server="primary",of="${of}"} (\\S+)$`, 'm').exec(
          text,
        )?.[1],
      );
    expect(metric('statements', 'client')).toBe(clients.length);
    expect(metric('bytes', 'client')).toBeGreaterThan(8 * MIB);
    expect(metric('bytes', 'client')).toBeLessThanOrEqual(16 * MIB);
    expect(metric('bytes', 'own')).toBeGreaterThan(0);
  },
);
