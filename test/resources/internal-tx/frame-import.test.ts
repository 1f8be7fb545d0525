import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { poolOf } from '../../harness/connections.js';
import { addresses, chainRow, frameRow, hashOf, idOf } from '../../harness/evm-rows.js';
import { runImport } from '../../harness/ingest.js';
import { importRows, importRowsOrReject } from '../../harness/seed.js';

const CHAIN = '9223372036854775807';
const FILE = `evm.${CHAIN}.internal-transactions`;

let gateway: TestApp;
let folder: string;
beforeAll(async () => {
  gateway = await createApp();
  await importRows(gateway.storage, 'evm.chains', [chainRow(CHAIN, { blockchainId: idOf('the chain') })]);
  folder = await mkdtemp(join(tmpdir(), 'moraine-frames-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await gateway.close();
});
beforeEach(() => poolOf(gateway.storage).query('TRUNCATE internal_tx'));

describe('the import of internal transactions', () => {
  async function importFile(rows: readonly object[]) {
    const path = join(folder, `${FILE}.ndjson`);
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return runImport(gateway.storage, [path], { limits: { rows: 2, bytes: 1e6 } });
  }

  async function listOf(address: string) {
    const path = `/v1/chains/${CHAIN}/addresses/${address}/transactions:listInternals`;
    return (await gateway.get(path)).body.transactions as object[];
  }

  test('keeps identical frames, and adds none a second time', async () => {
    const rows = [frameRow(), frameRow(), frameRow({ value: '2' }), frameRow()];
    expect(await importFile(rows)).toMatchObject({ written: 4, rejected: 0 });
    expect(await importFile(rows)).toMatchObject({ written: 0, unchanged: 4 });
    expect(await listOf(addresses[1])).toHaveLength(4);
  });

  test('tells frames without position apart by what they say, the same in every version', async () => {
    await importFile([frameRow(), frameRow()]);
    type Data = { evmAddress: { internalTransactions: { nodes: { id: string }[] } } };
    const { data } = await gateway.graphql<Data>(
      `{ evmAddress(chainId: "${CHAIN}", address: "${addresses[1]}") { internalTransactions { nodes { id } } } }`,
    );
    const ids = data.evmAddress.internalTransactions.nodes.map(({ id }) =>
      Buffer.from(id, 'base64').toString(),
    );
    const frame = `InternalTransaction:${CHAIN}:${hashOf('transaction')}`;
    expect(ids).toEqual([`${frame}:1:348872362792747582`, `${frame}:0:348872362792747582`]);
  });

  test('takes a position as what identifies a frame', async () => {
    await importFile([frameRow({ position: 3 }), frameRow({ position: 4 })]);
    expect(await importFile([frameRow({ position: 3, gasUsed: '5' })])).toMatchObject({ written: 1 });
    expect(await listOf(addresses[1])).toEqual([frameRow(), frameRow({ gasUsed: '5' })]);
  });

  test('gives each frame an id by which it is found, whatever its position', async () => {
    const positions = [0, 999_999_999, 2 ** 31 - 1];
    await importFile(positions.map((position) => frameRow({ position })));
    const all = `{ evmAddress(chainId: "${CHAIN}", address: "${addresses[1]}") { internalTransactions { nodes { id } } } }`;
    const { data } = await gateway.graphql<any>(all);
    const { nodes } = data.evmAddress.internalTransactions as { nodes: { id: string }[] };
    expect(nodes).toHaveLength(3);
    for (const { id } of nodes)
      expect((await gateway.graphql(`{ node(id: "${id}") { id } }`)).data).toEqual({ node: { id } });
    const beyond = Buffer.from(`InternalTransaction:${CHAIN}:${hashOf('transaction')}:${2 ** 31}:0`);
    const query = `{ node(id: "${beyond.toString('base64')}") { id } }`;
    expect(await gateway.graphql(query)).toMatchObject({ data: { node: null } });
  });

  test('leaves out and counts what is never stored', async () => {
    const rows = [
      frameRow({ value: '0' }),
      frameRow({ internalTxType: 'CALLCODE', value: '0' }),
      frameRow({ internalTxType: 'DELEGATECALL' }),
      frameRow({ internalTxType: 'STATICCALL' }),
      frameRow({ internalTxType: 'UNKNOWN' }),
      frameRow({ internalTxType: 'CREATE', value: '0', isReverted: true }),
    ];
    expect(await importFile(rows)).toMatchObject({ rows: 6, written: 1, leftOut: 5, rejected: 0 });
  });

  test('rejects what is malformed, with the reason', async () => {
    const wrong = {
      blockNumber: '-1',
      txHash: '0x12',
      value: '1e21',
      isReverted: 'no',
      from: { address: 'nobody' },
      blockTimestamp: '1',
      gasLimit: (2n ** 256n).toString(),
    };
    const rows = Object.entries(wrong).map(([name, value]) => frameRow({ [name]: value }));
    const rejected = await importRowsOrReject(gateway.storage, FILE, rows);
    expect(rejected.map(({ message }) => /^\w+/.exec(message)?.[0])).toEqual(Object.keys(wrong));
  });

  test('keeps all that it says of the parties', async () => {
    const token = { name: 'A "token"', symbol: 'T', decimals: 6, logoUri: 'https://example.com/t.png' };
    const row = frameRow({
      from: { ...token, address: addresses[2] },
      to: { symbol: 'only', address: addresses[3] },
      value: (2n ** 256n - 1n).toString(),
      blockTimestamp: 4_294_967_296,
    });
    await importFile([row]);
    expect(await listOf(addresses[3])).toEqual([row]);
  });
});
