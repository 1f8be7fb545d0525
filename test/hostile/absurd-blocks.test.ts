import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rebuildGenesis } from '../../src/avalanche/codec/genesis-bytes.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { parseJson } from '../../src/json.js';
import { differencesOf } from '../harness/absurd/model.js';
import { AbsurdNetwork } from '../harness/absurd/node.js';
import { createApp, type TestApp } from '../harness/app.js';
import { createDatabase } from '../harness/database.js';
import { excerptGenesis } from '../harness/excerpt-node.js';
import { followOnce } from '../harness/followed.js';
import { launch } from '../harness/launched.js';
import type { NodeServer } from '../harness/node-server.js';
import { Random } from '../harness/random.js';

const seed = Number(process.env['ABSURD_SEED'] ?? 47);
const blocks = Number(process.env['ABSURD_BLOCKS'] ?? 20);
const DAY = 86_400;
/** Some of the contracts whose logs are written. */
const named = Array.from({ length: 8 }, (_, at) => `0x${(0x7000 + at).toString(16).padStart(40, '0')}`);

describe.each([
  ['named one by one', named, blocks],
  ['all', ['all'], Math.ceil(blocks / 2)],
] as const)(
  `with tokens %s, seed ${seed}: blocks of each chain in which strangers wrote what they could`,
  (_, tokens, count) => {
    let gateway: TestApp;
    let url: string;
    let node: NodeServer;
    const { time } = rebuildGenesis(parseJson(readFileSync(excerptGenesis, 'utf8')));
    const network = new AbsurdNetwork(new Random(seed), time + 400 * DAY);
    for (let block = 0; block < count; block += 1) network.grow();

    beforeAll(async () => {
      node = await network.serve();
      gateway = await createApp({}, { reach: (databaseUrl) => (url = databaseUrl) });
    });
    afterAll(async () => {
      await gateway.close();
      await node.close();
      adoptIdentities({});
    });

    test('every chain is followed to its end, without the last resort', async () => {
      const stopped = await followOnce(gateway.storage, {
        urls: [node.url],
        genesis: excerptGenesis,
        tokens,
        only: ['p', 'x', 'c-atomic', 'internals', 'nfts', 'messages', 'balances'],
      });
      expect(stopped.map(({ name, why }) => `${name}: ${why.message.slice(0, 600)}`)).toEqual([]);
      const rows = await gateway.storage.prisma.followPipeline.findMany();
      expect(new Set(rows.map(({ nextHeight }) => Number(nextHeight)))).toEqual(new Set([count + 1]));
      expect(rows.map(({ refusedRows }) => Number(refusedRows))).toEqual(rows.map(() => 0));
    });

    test('what is stored is what was written', async () => {
      expect(await differencesOf(gateway.storage, [...network.p, ...network.x])).toEqual([]);
      const stored = await gateway.storage.prisma.transaction.findMany({ where: { chain: 'c' } });
      // A stranger may have written the same transaction twice.
      const written = new Set(network.c.map(({ id }) => id));
      expect(stored.map(({ txHash }) => txHash).sort()).toEqual([...written].sort());
    });

    test('every message that was sent can be read as it was written', async () => {
      const { written } = network.messenger;
      expect(written.length).toBeGreaterThan(count / 20);
      for (const { messageId, from, to, source, destination, ...members } of written) {
        const { status, body } = await gateway.get(`/v1/icm/messages/${messageId}`);
        expect({ messageId, status }).toEqual({ messageId, status: 200 });
        const read = body as Record<'sourceBlockchainId' | 'destinationBlockchainId' | 'from' | 'to', string>;
        const ends = [
          read.sourceBlockchainId,
          read.destinationBlockchainId,
          read.from.toLowerCase(),
          read.to.toLowerCase(),
        ];
        expect(ends).toEqual([source, destination, from, to]);
        expect(read).toMatchObject({ messageNonce: members.nonce, data: members.data });
      }
    });

    test('every transaction can be read, with all that GraphQL says of a genesis', async () => {
      const query = `query ($after: String) { transactions(network: fuji, blockchainId: "p-chain", first: 100, after: $after) {
      pageInfo { hasNextPage endCursor } nodes { txHash memo subnetOwnershipInfo { locktime } blockchainInfo { chainName encodedGenesis
        genesisData { extraData nonce gasLimit airdropHash baseFeePerGas airdropAmount alloc config { chainId eip150Hash allowFeeRecipients
          feeConfig { gasLimit } warpConfig { quorumNumerator } txAllowListConfig { adminAddresses blockTimestamp } } } } } } }`;
      let after: string | null = null;
      const seen: string[] = [];
      do {
        const { data, errors } = (await gateway.graphql(query, { after })) as {
          data: {
            transactions: {
              pageInfo: { hasNextPage: boolean; endCursor: string };
              nodes: { txHash: string }[];
            };
          };
          errors?: object[];
        };
        expect(errors).toBeUndefined();
        seen.push(...data.transactions.nodes.map(({ txHash }) => txHash));
        after = data.transactions.pageInfo.hasNextPage ? data.transactions.pageInfo.endCursor : null;
      } while (after !== null);
      expect(seen).toEqual(expect.arrayContaining(network.p.map(({ transaction }) => transaction.id)));
    });

    test('verify finds nothing', async () => {
      const scratch = await createDatabase();
      const args = ['verify', node.url, '--genesis', excerptGenesis, '--scratch', scratch.url];
      const command = launch(args, { DATABASE_URL: url });
      await command.ended;
      await scratch.drop();
      const lines = command.output().split('\n');
      expect(lines.filter((line) => line.includes('no difference')).length).toBeGreaterThan(30);
      // Nobody paid for what strangers wrote: of such transactions the sums differ, and nothing else.
      const unpaid = /^transaction: (?:fuji .* amountBurned: stored 0, should be -\d+|and \d+ more)$/;
      expect(
        lines.filter((line) => /^(?:gaps: |\w+: (?:.*: stored |and ))/.test(line) && !unpaid.test(line)),
      ).toEqual([]);
    });
  },
);
