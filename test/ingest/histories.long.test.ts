import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nativeAsset, nativeAssetIds } from '../../src/avalanche/networks.js';
import { sortKeyAt, type ChainPosition } from '../../src/avalanche/sort-key.js';
import { transactionDerivation } from '../../src/resources/transaction/import-days.js';
import { rebuild } from '../../src/write/derived/rebuild.js';
import { poolOf } from '../harness/connections.js';
import { dayRows, storedDayRows, type CountedTransaction } from '../harness/day-model.js';
import { createImportDatabase, rowVersions, runImport, type ImportDatabase } from '../harness/ingest.js';
import { addressOf, idOf, transactionRow, utxoRow } from '../harness/ledger-rows.js';

let database: ImportDatabase;
beforeAll(async () => {
  database = await createImportDatabase();
});
afterAll(() => database.close());

const clear = () =>
  poolOf(database.storage).query(
    'TRUNCATE utxo, utxo_owner, address_balance, address_transaction, transaction, transaction_day, stake_day, active_address_day, address, asset CASCADE',
  );

/** An output as a row tells it. */
interface Output {
  name: string;
  addresses: string[];
  consumingTxHash?: string;
}

/** A transaction as a row tells it. */
interface Transaction {
  name: string;
  txType: string;
  blockTimestamp: number;
  blockNumber?: string | null;
  position?: number | null;
  emitted: Output[];
  consumed: Output[];
  /** Its AVAX: what it burned and staked; null: the row does not say. */
  amount?: number | null;
  period?: readonly [startTimestamp: number, endTimestamp: number] | null;
}

type File =
  { kind: 'utxos'; rows: Output[] } | { kind: 'transactions'; chain: 'p' | 'x'; rows: Transaction[] };

const owners = ['anna', 'ben', 'cleo', 'dora'].map((name) => addressOf(name));
const transactionNames = ['first', 'second', 'third', 'fourth'];
const output: fc.Arbitrary<Output> = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    addresses: fc.subarray(owners),
    consumingTxHash: fc.constantFrom(...transactionNames.map(idOf)),
  },
  { requiredKeys: ['name', 'addresses'] },
);
const outputs = fc.uniqueArray(output, { maxLength: 4, selector: ({ name }) => name });
const transaction: fc.Arbitrary<Transaction> = fc.record({
  name: fc.constantFrom(...transactionNames),
  txType: fc.constantFrom('BaseTx', 'AddValidatorTx', 'AddDelegatorTx', 'of a kind that nobody knows'),
  blockTimestamp: fc.constantFrom(0, 7, 1_700_000_000, 1_700_090_000, 1_700_090_001),
  blockNumber: fc.constantFrom('5', '6', null),
  position: fc.constantFrom(0, 1, null),
  emitted: outputs,
  consumed: outputs,
  amount: fc.constantFrom(0, 5, 7, null),
  period: fc.constantFrom([86_399, 86_400] as const, [0, 1_700_000_000] as const, null),
});
const file: fc.Arbitrary<File> = fc.oneof(
  fc.record({ kind: fc.constant('utxos' as const), rows: fc.array(output, { maxLength: 6 }) }),
  fc.record({
    kind: fc.constant('transactions' as const),
    chain: fc.constantFrom('p' as const, 'x' as const),
    rows: fc.array(transaction, { maxLength: 5 }),
  }),
);

/** What rows come to, one after the other, by the naive reading of each. */
class Replay {
  private readonly owners = new Map<string, readonly string[]>();
  private readonly transactions = new Map<string, Transaction & ChainPosition & { chain: string }>();

  take(given: File): void {
    if (given.kind === 'utxos') this.takeOwners(given.rows);
    else for (const row of given.rows) this.takeTransaction(row, given.chain);
  }

  // An empty list says nothing of what another row knows.
  private takeOwners(outputs: readonly Output[]): void {
    for (const { name, addresses } of outputs) if (addresses.length > 0) this.owners.set(name, addresses);
  }

  private takeTransaction(row: Transaction, chain: string): void {
    this.takeOwners([...row.emitted, ...row.consumed]);
    const earlier = this.transactions.get(`${chain} ${row.name}`);
    // Only the P-chain has stakes.
    const isKnown = row.txType === 'BaseTx' || (row.txType.startsWith('Add') && chain === 'p');
    const txType = isKnown ? row.txType : (earlier?.txType ?? 'UNKNOWN');
    const listOf = (side: 'emitted' | 'consumed') =>
      row[side].length > 0 ? row[side] : (earlier?.[side] ?? []);
    const lists = { emitted: listOf('emitted'), consumed: listOf('consumed') };
    const block = this.blockOf(row, earlier);
    const amount = row.amount ?? earlier?.amount ?? null;
    const period = row.period ?? earlier?.period ?? null;
    this.transactions.set(`${chain} ${row.name}`, {
      ...row,
      ...lists,
      ...block,
      amount,
      period,
      txType,
      chain,
    });
  }

  /** A position is that in a block: where the block changes, the former one says nothing. */
  private blockOf(row: Transaction, earlier: Transaction | undefined) {
    const blockNumber = row.blockNumber ?? earlier?.blockNumber ?? null;
    const isSameBlock = blockNumber === (earlier?.blockNumber ?? null);
    const given = (row.blockNumber ?? null) === null ? null : row.position;
    const position = given ?? (isSameBlock ? (earlier?.position ?? null) : null);
    const isOlderKnown = (earlier?.blockNumber ?? null) !== null && (row.blockNumber ?? null) === null;
    const blockTimestamp = isOlderKnown ? earlier!.blockTimestamp : row.blockTimestamp;
    return { blockNumber, position, blockTimestamp };
  }

  counted(): CountedTransaction[] {
    return [...this.transactions.values()].map((each) => {
      const amount = BigInt(each.amount ?? 0);
      const addresses = [...each.emitted, ...each.consumed].flatMap(
        ({ name }) => this.owners.get(name) ?? [],
      );
      const [start, end] = each.period ?? [null, null];
      const { chain, txType, blockTimestamp: time } = each;
      return { chain, txType, time, burned: amount, value: 0n, staked: amount, start, end, addresses };
    });
  }

  histories(): string[] {
    const rows = [...this.transactions.values()].flatMap((each) => {
      const own = [...each.emitted, ...each.consumed].flatMap(({ name }) => this.owners.get(name) ?? []);
      const hash = idOf(each.name);
      return [...new Set(own)].map((owner) =>
        [owner, each.chain, hash, each.txType, each.blockTimestamp, sortKeyAt(each, hash)].join(' '),
      );
    });
    return rows.sort();
  }
}

let files = 0;
const avax = { assetId: nativeAssetIds.mainnet, ...nativeAsset };

function write(given: File): string {
  const row = ({ name, ...fields }: Output) => utxoRow(name, fields);
  if (given.kind === 'utxos')
    return database.write(`mainnet.p-chain.utxos.${(files += 1)}.ndjson`, given.rows.map(row));
  const rows = given.rows.map(({ name, emitted, consumed, amount = null, period = null, ...fields }) => {
    const amounts = amount === null ? [] : [{ ...avax, amount: String(amount) }];
    return transactionRow(name, {
      ...fields,
      emittedUtxos: emitted.map(row),
      consumedUtxos: consumed.map(row),
      amountBurned: amounts,
      amountStaked: amounts,
      ...(period && { startTimestamp: period[0], endTimestamp: period[1] }),
    });
  });
  return database.write(`mainnet.${given.chain}-chain.transactions.${(files += 1)}.ndjson`, rows);
}

async function stored(): Promise<string[]> {
  const { rows } = await poolOf(database.storage).query<{ row: string }>(
    `SELECT concat_ws(' ', a.address, h.chain, t.tx_hash, h.tx_type, h.time, h.tie) AS row
     FROM address_transaction h JOIN address a ON a.id = h.address_id JOIN transaction t ON t.id = h.transaction_id`,
  );
  return rows.map(({ row }) => row).sort();
}

const check = () =>
  database.storage.session((session) =>
    rebuild(session, transactionDerivation, {
      names: ['transaction_day', 'stake_day', 'active_address_day'],
      check: true,
      advance: () => undefined,
    }),
  );

const inBlock = (blockNumber: string, position: number | null): Transaction => {
  return {
    name: 'first',
    txType: 'BaseTx',
    blockTimestamp: 0,
    blockNumber,
    position,
    emitted: own,
    consumed: [],
  };
};
const own: Output[] = [{ name: 'a', addresses: owners }];
/** The last two rows are one batch: its block is that of the stored row, whose position is given up. */
const thereAndBack: File = {
  kind: 'transactions',
  chain: 'p',
  rows: [0, 0, 0].map((position) => inBlock('5', position)).concat(inBlock('6', 0), inBlock('5', null)),
};

test('histories and the numbers of days are what transactions, their lists and the owners of outputs come to, whatever rows come in whatever order, come again or correct earlier ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 6 }), async (given) => {
      await clear();
      const replay = new Replay();
      for (const each of given) {
        const result = await runImport(database.storage, [write(each)], { limits: { rows: 3, bytes: 1e9 } });
        expect(result.rejected).toBe(0);
        replay.take(each);
        expect(await stored()).toEqual(replay.histories());
        expect(await storedDayRows(database.storage, 'mainnet')).toEqual(dayRows(replay.counted()));
      }
      expect((await check()).filter(({ wrong, extra }) => wrong + extra > 0)).toEqual([]);
    }),
    { numRuns: 60, examples: [[[thereAndBack]]] },
  );
});

test('whichever of a transaction and its outputs comes first, the histories are the same', async () => {
  const made = { name: 'made', addresses: [owners[0] as string, owners[1] as string] };
  const spent = { name: 'spent', addresses: [owners[2] as string] };
  const both: File[] = [
    { kind: 'utxos', rows: [made, { ...spent, consumingTxHash: idOf('first') }] },
    {
      kind: 'transactions',
      chain: 'p',
      rows: [{ name: 'first', txType: 'BaseTx', blockTimestamp: 5, emitted: [made], consumed: [spent] }],
    },
  ];
  const found: string[][] = [];
  for (const order of [both, [...both].reverse()]) {
    await clear();
    await runImport(database.storage, order.map(write));
    found.push(await stored());
  }
  expect(found[0]).toHaveLength(3);
  expect(found[1]).toEqual(found[0]);
});

test('rows that are stored already change no history', async () => {
  await clear();
  const emitted = [{ name: 'kept', addresses: owners }];
  const rows = [{ name: 'first', txType: 'BaseTx', blockTimestamp: 5, emitted, consumed: [] }];
  const path = write({ kind: 'transactions', chain: 'p', rows });
  await runImport(database.storage, [path]);
  const before = await rowVersions(database.storage);
  await runImport(database.storage, [path, write({ kind: 'utxos', rows: emitted })]);
  expect(await rowVersions(database.storage)).toEqual(before);
  expect(await stored()).toHaveLength(owners.length);
});
