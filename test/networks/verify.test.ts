import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo } from '../harness/connections.js';
import { startWithOneMethodAltered } from '../harness/one-method-altered.js';
import { createDatabase, type TestDatabase } from '../harness/database.js';
import { falsified, falsifiedVertices, renamed } from '../harness/falsified-rows.js';
import { networkFilling } from '../harness/followed.js';
import { launch } from '../harness/launched.js';
import {
  hasRecordedNode,
  recordedFile,
  startRecordedNode,
  type RecordedNode,
} from '../harness/recorded-node.js';

const inventedNode = 'NodeID-111111111111111111116DBWJs';

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)(
  '%s, followed from its genesis',
  (network) => {
    let database: TestDatabase;
    let node: RecordedNode;
    let oftenAsked: Awaited<ReturnType<typeof startWithOneMethodAltered>>;
    let isHonest = true;
    beforeAll(async () => {
      node = await startRecordedNode(network);
      oftenAsked = await startWithOneMethodAltered(node.url, 'platform.getValidatorsAt', (answer) => {
        if (answer.error && isHonest) {
          // Of a height that was not recorded it says that it lacks the method, which is then believed of all
          // heights.
          answer.error = { code: -32000, message: 'required historical state unavailable' };
        } else if (answer.error) {
          // Few heights are recorded, and random ones may miss them all.
          delete answer.error;
          answer.result = { [inventedNode]: { weight: '1' } };
        }
        const [one] = Object.values((answer.result ?? {}) as Record<string, { weight: string }>);
        if (!isHonest && one) one.weight = `1${one.weight}`;
      });
      database = await createDatabase({ filling: networkFilling(network) });
    });
    afterAll(async () => {
      await oftenAsked.close();
      await node.close();
      await database.drop();
    });

    async function verify(args: readonly string[] = []): Promise<{ code: number | null; output: string }> {
      const scratch = await createDatabase();
      try {
        const command = launch(['verify', ...args, '--scratch', scratch.url], { DATABASE_URL: database.url });
        const { code } = await command.ended;
        return { code, output: command.output() };
      } finally {
        await scratch.drop();
      }
    }
    const withNode = () => [oftenAsked.url, '--genesis', recordedFile(network, 'genesis.json')];

    async function change(statements: readonly string[]): Promise<(number | null)[]> {
      const client = await connectTo(database.url);
      try {
        const counts: (number | null)[] = [];
        for (const statement of statements) counts.push((await client.query(statement)).rowCount);
        return counts;
      } finally {
        await client.end();
      }
    }

    test('nothing differs from its node', async () => {
      let outputs = '';
      // The validators of some heights alone are recorded: of 100 random ones it may be none.
      for (let run = 0; run < 4 && !outputs.includes('validators at random blocks'); run += 1) {
        const { code, output } = await verify(withNode());
        expect(output).toMatch(/no difference was found\n$/);
        expect(code).toBe(0);
        outputs += output;
      }
      expect(outputs).toMatch(/^validators at random blocks +[1-9]\d* +no difference/m);
    });

    test.runIf(network === 'network-a')(
      'of chains with many blocks random ranges are compared, nothing differs, and gaps are named',
      async () => {
        const refused = '0xrefused';
        await change([
          `INSERT INTO follow_gap SELECT network, name, 7, 'block', '{${refused}}', 'it was refused', now(), 1, now()
           FROM follow_pipeline WHERE name LIKE 'internals:%'`,
        ]);
        const { code, output } = await verify([...withNode(), '--blocks', '100']);
        // Some ranges of p need an output that only all blocks before them say.
        expect(output).toMatch(/^blocks of p +[1-4],\d00 +no difference +random blocks of the node/m);
        expect(output).toMatch(
          new RegExp(`^gaps: fuji internals:\\d+, block 7, transaction ${refused}: `, 'm'),
        );
        expect(output).toMatch(/no difference was found; 1 gaps? (is|are) known\n$/);
        expect(code).toBe(0);
        await change([`DELETE FROM follow_gap`]);
      },
    );

    test.runIf(network === 'network-c')('nothing differs from what an import makes of its rows', async () => {
      const { code, output } = await verify();
      expect(output).toMatch(/no difference was found\n$/);
      expect(code).toBe(0);
    });

    test('a row of each table that is falsified is found, with both values, and one whose key is falsified is missing', async () => {
      const keys = network === 'network-a' ? [] : renamed;
      await change(
        keys.map(
          ([table, column]) =>
            `UPDATE ${table} SET ${column} = ${column} || '?' WHERE ctid = (SELECT ctid FROM ${table} WHERE ${column} <> '' LIMIT 1)`,
        ),
      );
      const wrong = network === 'network-a' ? falsified : falsifiedVertices;
      const counts = await change(
        wrong.map(
          ([table, column, value, row = 'true']) =>
            `UPDATE ${table} SET ${column} = ${value} WHERE ctid = (SELECT ctid FROM ${table} WHERE ${row} LIMIT 1)`,
        ),
      );
      expect(counts).toEqual(wrong.map(() => 1));
      const [burned] = await change([
        `UPDATE transaction SET details = jsonb_set(details, '{amountBurned,0,amount}', '"1"')
         WHERE ctid = (SELECT ctid FROM transaction WHERE tx_type = 'CreateSubnetTx' AND block_number > 0
           AND details->'amountBurned' <> '[]' LIMIT 1)`,
      ]);
      expect(burned).toBe(1);
      const [named] = await change([
        `UPDATE icm_message SET details = jsonb_set(details, '{messageNonce}', '"77"')
         WHERE ctid = (SELECT ctid FROM icm_message LIMIT 1)`,
      ]);
      expect(named).toBe(1);
      isHonest = false;
      const { code, output } = await verify(withNode());
      isHonest = true;
      expect(code).toBe(1);
      expect(output).toMatch(/^transaction +[\d,]+ +\d+ differs? +what it consumes less what it emits/m);
      expect(output).toMatch(
        /^validators at random blocks: NodeID-.+, weight: stored (\d+|no validator), should be (\d+|no validator)$/m,
      );
      expect(output).toMatch(/^icm_message: \w{64}, details\.messageNonce: stored "77", should be "\d+"$/m);
      for (const [table, column] of wrong)
        expect(output).toMatch(new RegExp(`^${table}: .+, ${column}: stored .+, should be `, 'm'));
      for (const [table] of keys)
        expect(output).toMatch(new RegExp(`^${table}: .+: stored no such row, should be `, 'm'));
    });
  },
);
