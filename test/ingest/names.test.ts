import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortKeyOf } from '../../src/avalanche/sort-key.js';
import { poolOf } from '../harness/connections.js';
import { createImportDatabase, rowVersions, runImport, type ImportDatabase } from '../harness/ingest.js';
import { idOf } from '../harness/ledger-rows.js';
import {
  newestFirst,
  nodesOf,
  platformRow,
  platformTx,
  stakersOf,
  subnetIds,
  subnetsOf,
  validationIdOf,
  type PlatformTx,
} from '../harness/platform-model.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

const clear = () =>
  poolOf(database.storage).query(
    'TRUNCATE transaction, subnet, subnet_transaction, validator, validator_transaction, l1_validator, l1_validator_transaction, subnet_validator, reward_transaction CASCADE',
  );

let files = 0;
const write = (rows: readonly PlatformTx[], chain = 'p') =>
  database.write(`fuji.${chain}-chain.transactions.${(files += 1)}.ndjson`, rows.map(platformRow));

/** Few names, so that rows correct earlier ones. */
const row = fc
  .tuple(platformTx, fc.constantFrom('first', 'second', 'third', 'fourth'))
  .map(([fields, name]) => ({ ...fields, name, staking: name === 'first' ? 'second' : 'first' }));

/** What rows come to, one after the other: what a row does not say stays as an earlier one said. */
function replay(rows: readonly PlatformTx[]): PlatformTx[] {
  const known = new Map<string, PlatformTx>();
  for (const each of rows) {
    const { subnetId = null, nodeId = null, l1 = [] } = known.get(each.name) ?? {};
    const merged = { subnetId: each.subnetId ?? subnetId, nodeId: each.nodeId ?? nodeId };
    known.set(each.name, { ...each, ...merged, l1: each.l1.length > 0 ? each.l1 : l1 });
  }
  return [...known.values()];
}

const linkOf = (name: string, { txType, blockTimestamp, ...each }: PlatformTx) =>
  [name, idOf(each.name), txType, blockTimestamp, sortKeyOf(idOf(each.name))].join(' ');

async function stored(thing: 'subnet' | 'validator' | 'l1_validator', name: string): Promise<string[]> {
  const { rows } = await poolOf(database.storage).query<{ row: string }>(
    `SELECT concat_ws(' ', s.${name}, t.tx_hash, l.tx_type, l.time, l.tie) AS row
     FROM ${thing}_transaction l JOIN ${thing} s ON s.id = l.${thing}_row_id JOIN transaction t ON t.id = l.transaction_id`,
  );
  return rows.map(({ row }) => row).sort();
}

const links = (all: readonly PlatformTx[], namesOf: (tx: PlatformTx) => string[]) =>
  all.flatMap((tx) => [...new Set(namesOf(tx))].map((id) => linkOf(id, tx))).sort();

/** The subnet and the node of each validator of a subnet. */
async function stakers(): Promise<string[]> {
  const { rows } = await poolOf(database.storage).query<{ row: string }>(
    `SELECT concat_ws(' ', s.subnet_id, b.node_id, v.node_id) AS row FROM subnet_validator b
     JOIN subnet s ON s.id = b.subnet_row_id JOIN validator v ON v.id = b.validator_row_id`,
  );
  return rows.map(({ row }) => row).sort();
}

/** The subnet and the node of each L1 validator. */
async function positions(): Promise<string[]> {
  const { rows } = await poolOf(database.storage).query<{ row: string }>(
    `SELECT concat_ws(' ', e.validation_id, s.subnet_id, v.node_id) AS row FROM l1_validator e
     LEFT JOIN subnet s ON s.id = e.subnet_row_id LEFT JOIN validator v ON v.id = e.validator_row_id
     WHERE s.id IS NOT NULL OR v.id IS NOT NULL`,
  );
  return rows.map(({ row }) => row).sort();
}

/** They are where the newest transaction that changed them says. */
function pathsOf(all: readonly PlatformTx[]): string[] {
  const last = new Map(
    newestFirst(all)
      .reverse()
      .flatMap(({ l1 }) => l1.map((each) => [each.validation, each] as const)),
  );
  return [...last.values()]
    .map(({ validation, subnetId, nodeId }) => [validationIdOf(validation), subnetId, nodeId].join(' '))
    .sort();
}

test('who names a subnet, a node or an L1 validator, where that one belongs and who stakes where is what transactions say, whatever rows come in whatever order, come again or correct earlier ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row, { maxLength: 5 }), { minLength: 1, maxLength: 5 }),
      async (given) => {
        await clear();
        const seen: PlatformTx[] = [];
        for (const each of given) {
          const result = await runImport(database.storage, [write(each)], {
            limits: { rows: 3, bytes: 1e9 },
          });
          expect(result.rejected).toBe(0);
          seen.push(...each);
          const all = replay(seen);
          expect(await stored('subnet', 'subnet_id')).toEqual(links(all, subnetsOf));
          const validations = ({ l1 }: PlatformTx) => l1.map(({ validation }) => validationIdOf(validation));
          expect(await stored('l1_validator', 'validation_id')).toEqual(links(all, validations));
          expect(await positions()).toEqual(pathsOf(all));
          const staking = subnetIds.flatMap((id) =>
            stakersOf(all, id).map((node) => [id, node, node].join(' ')),
          );
          expect(await stakers()).toEqual(staking.sort());
          expect(await stored('validator', 'node_id')).toEqual(links(all, (tx) => nodesOf(tx, all)));
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('rows that are stored already write nothing, and those of other chains name nothing', async () => {
  await clear();
  const [given] = fc.sample(
    row.filter((each) => each.l1.length > 0),
    { numRuns: 1, seed: 7 },
  );
  const paths = [write([given as PlatformTx])];
  await runImport(database.storage, paths);
  const { subnet_transaction, validator_transaction, l1_validator } = await rowVersions(database.storage);
  const versions = { subnet_transaction, validator_transaction, l1_validator };
  expect(Object.values(versions).filter((each) => each?.startsWith('0'))).toEqual([]);
  await runImport(database.storage, [...paths, write([{ ...(given as PlatformTx), name: 'other' }], 'x')]);
  expect(await rowVersions(database.storage)).toMatchObject(versions);
});
