import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { callsOf } from '../avalanche/codec/recorded.js';
import { createApp, type GraphQLReply, type TestApp } from '../harness/app.js';
import { networkFilling } from '../harness/followed.js';
import { recordedBlocks, recordedCertificates, type RecordedBlock } from '../harness/recorded-blocks.js';
import { hasRecordedNode } from '../harness/recorded-node.js';

interface Shown extends RecordedBlock {
  readonly proposerNodeId: string | null;
  readonly transactions: { readonly totalCount: number };
}

interface Answer {
  readonly blocks: { nodes: Shown[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
}

const FIELDS =
  'number hash parentHash blockType timestamp sizeBytes txCount proposerNodeId transactions(first: 1) { totalCount }';

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)(
  '%s, followed from its genesis',
  (network) => {
    let gateway: TestApp;
    beforeAll(async () => {
      gateway = await createApp({ MAX_COST: '1000000' }, { filling: networkFilling(network) });
    });
    afterAll(async () => {
      await gateway.close();
      adoptIdentities({});
    });

    /** All blocks of a chain, oldest first. */
    async function listed(chain: string): Promise<Shown[]> {
      const all: Shown[] = [];
      for (let after: string | null = null; ;) {
        const { data, errors }: GraphQLReply<Answer> = await gateway.graphql<Answer>(
          `query Blocks($after: String) { blocks(network: fuji, blockchainId: "${chain}-chain", first: 100, after: $after) {
             nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
          { after },
        );
        expect(errors).toBeUndefined();
        all.push(...data.blocks.nodes);
        if (!data.blocks.pageInfo.hasNextPage) return all.reverse();
        after = data.blocks.pageInfo.endCursor;
      }
    }

    test.each(['p', 'x'] as const)(
      'every block of chain %s is listed as its own bytes say it, and no other one is',
      async (chain) => {
        const wanted = recordedBlocks(network, chain);
        const found = await listed(chain);
        const proved = found.map(({ proposerNodeId, transactions, ...block }, index) => {
          void proposerNodeId;
          void transactions;
          const { parentHash, timestamp } = wanted[index] ?? {};
          // Of block 0 another test knows the parent, and of blocks without a time it is the chain's.
          return {
            ...block,
            parentHash: parentHash === null ? null : block.parentHash,
            timestamp: timestamp === null ? null : block.timestamp,
          };
        });
        expect(proved).toEqual(wanted);
        expect(found.length).toBeGreaterThan(700);
        const times = found.map(({ timestamp }) => timestamp ?? NaN);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
      },
    );

    test('every block has as many transactions as it says', async () => {
      for (const chain of ['p', 'x', 'c'])
        for (const { number, txCount, transactions } of await listed(chain))
          // Block 0 has the transactions of the genesis, which are in no block.
          if (number !== '0') expect([number, transactions.totalCount]).toEqual([number, txCount]);
    });

    test('the blocks of the C-chain that have atomic transactions are listed as their headers say them', async () => {
      const headers = callsOf(network, 'c')
        .filter(({ method }) => method === 'eth_getBlockByNumber')
        .map(({ result }) => result as Record<string, string | undefined>)
        .filter(({ blockExtraData = '0x' }) => blockExtraData !== '0x');
      const wanted = headers.map((header) => ({
        number: BigInt(header['number']!).toString(),
        hash: header['hash'],
        parentHash: header['parentHash'],
        blockType: null,
        timestamp: Number(header['timestamp']),
        sizeBytes: null,
      }));
      const unique = [...new Map(wanted.map((each) => [each.number, each])).values()];
      unique.sort((one, other) => Number(one.number) - Number(other.number));
      const found = await listed('c');
      expect(
        found.map(({ number, hash, parentHash, blockType, timestamp, sizeBytes }) => {
          return { number, hash, parentHash, blockType, timestamp, sizeBytes };
        }),
      ).toEqual(unique);
      expect(found.length).toBeGreaterThan(100);
    });

    test('the proposer of each block that its index has signed is the recorded node, and of others none', async () => {
      const [info] = callsOf(network, 'info').filter(({ method }) => method === 'info.getNodeID');
      for (const chain of ['p', 'x', 'c'] as const) {
        const signed = recordedCertificates(network, chain);
        const found = await listed(chain);
        const proposed = found.filter(({ proposerNodeId }) => proposerNodeId !== null);
        const wanted = found.filter(({ hash }) => signed.has(hash));
        expect(proposed.map(({ hash }) => hash)).toEqual(wanted.map(({ hash }) => hash));
        if (network === 'network-a') expect(proposed.length).toBeGreaterThan(100);
        if (network === 'network-a')
          expect(new Set(proposed.map(({ proposerNodeId }) => proposerNodeId))).toEqual(
            new Set([info?.result['nodeID']]),
          );
      }
    });
  },
);
