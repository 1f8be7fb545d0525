import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IngestError } from '../../src/ingest/errors.js';
import { fileKinds } from '../../src/resources.js';
import { Rejects } from '../../src/ingest/rejects.js';
import { recogniseFiles, type KindOptions } from '../../src/ingest/source-file.js';
import { createImportDatabase, runImport, type ImportDatabase } from '../harness/ingest.js';
import { transactionRow, utxoRow } from '../harness/ledger-rows.js';
import { poolOf } from '../harness/connections.js';

let database: ImportDatabase;

beforeAll(async () => {
  database = await createImportDatabase();
});

afterAll(() => database.close());

function recognise(name: string, options: KindOptions = {}) {
  const [file] = recogniseFiles([database.write(name, '')], options, fileKinds);
  return { kind: file?.kind.name, ...file?.scope };
}

describe('what a file holds', () => {
  test.each([
    ['mainnet.p-chain.utxos.ndjson', { kind: 'utxos', network: 'mainnet', chain: 'p' }],
    ['fuji.x-chain.utxos.2024.part-3.ndjson.gz', { kind: 'utxos', network: 'fuji', chain: 'x' }],
    ['testnet.c-chain.transactions.ndjson', { kind: 'transactions', network: 'fuji', chain: 'c' }],
  ])('is recognised by the name %s', (name, expected) => expect(recognise(name)).toEqual(expected));

  test('is recognised by options, for any name', () => {
    expect(recognise('dump.txt', { kind: 'utxos', network: 'fuji', chain: 'p-chain' })).toEqual({
      kind: 'utxos',
      network: 'fuji',
      chain: 'p',
    });
  });

  test.each<[string, KindOptions, string]>([
    [
      'mainnet.p-chain.validators-genesis.ndjson',
      {},
      'the file name does not say what the file contains. Names that do: mainnet.p-chain.utxos.ndjson',
    ],
    ['mars.p-chain.utxos.ndjson', {}, '"mars" is not a network; --network takes mainnet or fuji'],
    ['a.ndjson', { kind: 'outputs' }, '--kind outputs is unknown; it must be one of utxos, transactions'],
    ['b.ndjson', { kind: 'utxos' }, 'the network is missing; --network takes mainnet or fuji'],
    [
      'c.ndjson',
      { kind: 'utxos', network: 'fuji', chain: 'q' },
      '"q" is not a chain of fuji; --chain takes p, x, c',
    ],
    [
      'fuji.p-chain.utxos.ndjson',
      { network: 'mainnet' },
      'the file name says network fuji, but --network says mainnet',
    ],
    [
      'fuji.p-chain.utxos.ndjson',
      { kind: 'transactions' },
      'the file name says utxos, but --kind says transactions',
    ],
  ])('is an error for %s with %o', (name, options, message) => {
    expect(() => recognise(name, options)).toThrow(message);
  });

  test('is an error that names every file that is wrong, before any is read', async () => {
    const good = database.write('mainnet.p-chain.utxos.good.ndjson', [utxoRow('never')]);
    const paths = [good, '/no/such/mainnet.p-chain.utxos.ndjson', database.folder];
    await expect(runImport(database.storage, paths)).rejects.toThrow(
      /nothing was imported:\n.*no such file\n.*is a folder/,
    );
    const { rows } = await poolOf(database.storage).query('SELECT 1 FROM utxo');
    expect(rows).toEqual([]);
  });
});

describe('a damaged file', () => {
  const rows = Array.from({ length: 3000 }, (_, index) => utxoRow(`row ${index}`));

  test('that is cut off goes in up to the cut, and the next file follows', async () => {
    const path = database.write('mainnet.p-chain.utxos.cut.ndjson.gz', rows);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    const next = database.write('mainnet.p-chain.transactions.ndjson', [transactionRow('next')]);
    const result = await runImport(database.storage, [path, next]);
    expect(result.brokenFiles).toBe(1);
    expect(result.lines.at(-1)).toBe(`${path}: cannot be read further: unexpected end of file`);
    expect(result.written).toBeGreaterThan(100);
    expect(result.written).toBe(result.rows);
    const { rows: found } = await poolOf(database.storage).query('SELECT 1 FROM transaction');
    expect(found).toHaveLength(1);
  });

  test('that is packed or not, whatever its name says, is read as what it is', async () => {
    const plain = database.write('mainnet.p-chain.utxos.plain.ndjson', [utxoRow('plain in fact')]);
    const packed = database.write('mainnet.p-chain.utxos.packed.ndjson.gz', [utxoRow('packed in fact')]);
    const calledPacked = join(database.folder, 'mainnet.p-chain.utxos.plain.ndjson.gz');
    const calledPlain = join(database.folder, 'mainnet.p-chain.utxos.packed.ndjson');
    renameSync(plain, calledPacked);
    renameSync(packed, calledPlain);
    const result = await runImport(database.storage, [calledPacked, calledPlain]);
    expect(result).toMatchObject({ rows: 2, written: 2, brokenFiles: 0, lines: [] });
  });

  test('that arrives through a pipe byte by byte is recognised by its bytes too', async () => {
    const packed = database.write('packed.gz', [utxoRow('through a pipe')]);
    const pipe = join(database.folder, 'mainnet.p-chain.utxos.pipe.ndjson');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', [
      '-c',
      `(head -c 1 '${packed}'; sleep 0.3; tail -c +2 '${packed}') > '${pipe}'`,
    ]);
    const written = once(writer, 'exit');
    const result = await runImport(database.storage, [pipe]);
    expect(result).toMatchObject({ rows: 1, written: 1, brokenFiles: 0, lines: [] });
    expect(await written).toEqual([0, null]);
  });

  test('of one byte is a line of one byte', async () => {
    const path = database.write('mainnet.p-chain.utxos.byte.ndjson', '1');
    expect((await runImport(database.storage, [path])).lines).toEqual([expect.stringMatching(/:1: /)]);
  });

  test('that should be packed and is empty is reported', async () => {
    const path = join(database.folder, 'mainnet.p-chain.utxos.empty.ndjson.gz');
    writeFileSync(path, '');
    const result = await runImport(database.storage, [path]);
    expect(result.lines).toEqual([`${path}: cannot be read further: unexpected end of file`]);
  });
});

describe('rejected lines', () => {
  test('are reported with file, number and reason while the others go in', async () => {
    const good = (name: string) => JSON.stringify(utxoRow(name));
    const text = [
      good('a'),
      '',
      '{"half":',
      good('b'),
      JSON.stringify({ ...utxoRow('c'), utxoType: 'GIFT' }),
      good('d'),
    ];
    const path = database.write('mainnet.p-chain.utxos.mixed.ndjson', text.join('\r\n'));
    const result = await runImport(database.storage, [path]);
    expect(result).toMatchObject({ rows: 5, written: 3, rejected: 2 });
    expect(result.lines).toEqual([
      expect.stringMatching(/mixed\.ndjson:3: is not JSON: /),
      `${path}:5: utxoType: "GIFT" is not STAKE or TRANSFER`,
    ]);
  });

  test('beyond twenty of a file are counted, and all are in the rejects file', () => {
    const shown: string[] = [];
    const path = join(database.folder, 'rejects.txt');
    const rejects = new Rejects((line) => shown.push(line), path);
    for (let line = 1; line <= 25; line += 1) rejects.add('one.ndjson', line, 'is bad');
    rejects.add('two.ndjson', 7, 'is bad too');
    rejects.close();
    expect(shown).toHaveLength(22);
    expect(shown.slice(-2)).toEqual([
      'one.ndjson: 5 more rejected lines are not shown (--rejects FILE lists all)',
      'two.ndjson:7: is bad too',
    ]);
    const all = readFileSync(path, 'utf8').trim().split('\n');
    expect(all).toHaveLength(26);
    expect(all[24]).toBe('one.ndjson:25: is bad');
  });

  test('never replace what a file holds, be it one to import or an earlier list', () => {
    const path = database.write('mainnet.p-chain.utxos.kept.ndjson', [utxoRow('kept')]);
    const before = readFileSync(path, 'utf8');
    expect(() => new Rejects(() => {}, path)).toThrow(
      `--rejects ${path} cannot be written: it is not empty; name a new file, or remove this one first`,
    );
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(() => new Rejects(() => {}, '/dev/null').close()).not.toThrow();
    for (const wrong of [join(path, 'below-a-file'), join(database.folder, 'x'.repeat(300)), database.folder])
      expect(() => new Rejects(() => {}, wrong)).toThrow(IngestError);
  });
});
