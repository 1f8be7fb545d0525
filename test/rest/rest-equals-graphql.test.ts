import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type TestApp } from '../harness/app.js';
import { extremes } from '../harness/extremes.js';
import { readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';
import { selectionOf, withoutNulls } from '../harness/selection.js';

type Row = Record<string, unknown>;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({}, { sample: true });
  await importRows(gateway.storage, 'fuji.p-chain.transactions', [extremes()]);
});
afterAll(() => gateway.close());

describe('REST and GraphQL say the same, field by field', () => {
  test('of every UTXO', async () => {
    const selection = selectionOf('Utxo');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('p', 'x', 'c'), fc.nat(40), async (chain, skip) => {
        const path = `/v1/networks/fuji/blockchains/${chain}-chain/utxos?includeSpent=true&pageSize=100`;
        let token = '';
        for (let page = 0; page < skip % 5; page += 1)
          token = (await gateway.get(`${path}&pageToken=${token}`)).body.nextPageToken ?? '';
        const rest = (await gateway.get(`${path}&pageToken=${token}`)).body.utxos as Row[];
        const { data, errors } = await gateway.graphql<{ utxos: { nodes: Row[] } }>(
          `{ utxos(network: fuji, blockchainId: "${chain}-chain", includeSpent: true, first: 100, after: "${token}") { nodes { ${selection} } } }`,
        );
        expect(errors).toBeUndefined();
        expect(data.utxos.nodes.map((node) => asRest(withoutNulls(node) as Row, utxoUnknowns))).toEqual(rest);
      }),
      { numRuns: 15 },
    );
  });

  test('of every transaction', async () => {
    const selection = `${selectionOf('Transaction')} consumedUtxos(first: 100) { nodes { ${selectionOf('Utxo')} } } emittedUtxos(first: 100) { nodes { ${selectionOf('Utxo')} } }`;
    const sample = readSample();
    for (const chain of ['p', 'x', 'c'] as const) {
      const byType = new Map(sample.transactionsOf(chain).map((each) => [each.txType, each]));
      for (const { txHash } of byType.values()) {
        const rest = (
          await gateway.get(`/v1/networks/fuji/blockchains/${chain}-chain/transactions/${txHash}`)
        ).body as Row;
        const { data, errors } = await gateway.graphql<{ transaction: Row }>(
          `{ transaction(network: fuji, blockchainId: "${chain}-chain", txHash: "${txHash}") { ${selection} } }`,
        );
        expect(errors).toBeUndefined();
        expect(transactionAsRest(data.transaction)).toEqual(withoutNulls(rest));
      }
    }
  });
});

describe('64-bit numbers are exact on both doors', () => {
  test('4294967296 and 2^64-1 in timestamps, locktimes, weights and balances', async () => {
    const { txHash } = extremes();
    const rest = await gateway.get(`/v1/networks/fuji/blockchains/p-chain/transactions/${txHash}`);
    for (const digits of [
      '"weight": 18446744073709551615',
      '"remainingBalance": 4294967296',
      '"balanceChange": -9223372036854775808',
      '"locktime": 18446744073709551615',
      '"platformLocktime":18446744073709551615',
      '"stakeableLocktime":4294967296',
      '"blockTimestamp":4294967296',
      '"utxoEndTimestamp":18446744073709551615',
    ]) {
      expect(rest.text.replaceAll(': ', ':')).toContain(digits.replaceAll(': ', ':'));
    }
    const { data } = await gateway.graphql<{ transaction: Row }>(
      `{ transaction(network: fuji, blockchainId: "p-chain", txHash: "${txHash}") {
           blockTimestamp subnetOwnershipInfo { locktime } l1ValidatorDetails { weight remainingBalance balanceChange }
           emittedUtxos { nodes { platformLocktime stakeableLocktime utxoEndTimestamp amount } } } }`,
    );
    expect(data.transaction).toEqual({
      blockTimestamp: 4294967296,
      subnetOwnershipInfo: { locktime: '18446744073709551615' },
      l1ValidatorDetails: [
        {
          weight: '18446744073709551615',
          remainingBalance: 4294967296,
          balanceChange: '-9223372036854775808',
        },
      ],
      emittedUtxos: {
        nodes: [
          {
            platformLocktime: '18446744073709551615',
            stakeableLocktime: 4294967296,
            utxoEndTimestamp: '18446744073709551615',
            amount: '18446744073709551615',
          },
        ],
      },
    });
  });
});

const utxoUnknowns = { blockNumber: '0', blockTimestamp: 0 };

/** A GraphQL row as REST prints it: unknown values become the zero that REST clients need. */
function asRest(row: Row, unknowns: Row): Row {
  return { ...unknowns, ...row };
}

function transactionAsRest(transaction: Row): Row {
  const utxos = (name: string) =>
    (transaction[name] as { nodes: Row[] }).nodes.map((node) =>
      asRest(withoutNulls(node) as Row, utxoUnknowns),
    );
  // The chain's own name of its type is no member of REST, and an id in a genesis has its place there.
  const row = withoutNulls(transaction) as Row;
  delete row['chainTxType'];
  delete row['createdEvmChainId'];
  const info = row['blockchainInfo'] as Row | undefined;
  const { encodedGenesis, ...blockchainInfo } = info ?? {};
  return {
    ...asRest(row, { blockNumber: '0', blockHash: '' }),
    consumedUtxos: utxos('consumedUtxos'),
    emittedUtxos: utxos('emittedUtxos'),
    ...(info && {
      blockchainInfo: encodedGenesis ? { ...blockchainInfo, genesisData: encodedGenesis } : blockchainInfo,
    }),
  };
}
