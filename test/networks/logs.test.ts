import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { networkFilling } from '../harness/followed.js';
import { recordedLogs, recordedReads } from '../harness/log-truth.js';
import { hasRecordedNode } from '../harness/recorded-node.js';

const tokenQuery = `query ($chainId: String!, $address: String!, $tokenId: BigNumber!) {
  nftToken(chainId: $chainId, address: $address, tokenId: $tokenId) {
    owner lastTransferBlock lastTransferTxHash
  }
}`;

interface Token {
  owner: string | null;
  lastTransferBlock: string;
  lastTransferTxHash: string;
}

const selectors = { ownerOf: '0x6352211e', balanceOf: '0x00fdd58e' };
/** Address and id of a token, in one text. */
const keyOf = (address: string, tokenId: bigint) => `${address.toLowerCase()} ${tokenId}`;

describe.runIf(hasRecordedNode).each([
  { network: 'network-a', tokens: 103 },
  { network: 'network-c', tokens: null },
] as const)('the logs of the C-chain of $network', ({ network, tokens }) => {
  let gateway: TestApp;
  let chainId: string;
  const logs = recordedLogs(network);

  beforeAll(async () => {
    gateway = await createApp({}, { filling: networkFilling(network, ['nfts']) });
    const [row] = await gateway.storage.prisma.chain.findMany();
    chainId = String(row?.evmChainId);
  });

  afterAll(async () => {
    await gateway.close();
    adoptIdentities({});
  });

  async function tokenOf(key: string): Promise<Token | null> {
    const [address, tokenId] = key.split(' ');
    const { data, errors } = await gateway.graphql<{ nftToken: Token | null }>(tokenQuery, {
      chainId,
      address,
      tokenId,
    });
    expect(errors).toBeUndefined();
    return data.nftToken;
  }

  test('each NFT belongs to whom its contract says, and to nobody once it is burned', async () => {
    const owners = recordedReads(network, selectors.ownerOf);
    if (tokens !== null) expect(owners.size).toBe(tokens);
    for (const [call, word] of owners) {
      const [address = '', id = ''] = call.split(' ');
      const key = keyOf(address, BigInt(`0x${id}`));
      const token = await tokenOf(key);
      expect(token?.owner?.toLowerCase() ?? null, key).toBe(word && `0x${word.slice(-40)}`);
      const last = logs.findLast(
        ({ address: contract, topics: each }) =>
          each.length === 4 && keyOf(contract, BigInt(each[3]!)) === key,
      );
      expect(token).toMatchObject({
        lastTransferBlock: String(Number(last?.blockNumber)),
        lastTransferTxHash: last?.transactionHash,
      });
    }
  });

  test('each token of ERC-1155 that anybody has is there, without an owner', async () => {
    const held = [...recordedReads(network, selectors.balanceOf)].filter(
      ([, word]) => word !== null && BigInt(word) > 0n,
    );
    const keys = new Set(
      held.map(([call]) => {
        const [address = '', words = ''] = call.split(' ');
        return keyOf(address, BigInt(`0x${words.slice(64)}`));
      }),
    );
    if (tokens !== null) expect(keys.size).toBeGreaterThan(10);
    for (const key of keys) {
      const [row] = await gateway.storage.prisma.$queryRaw<object[]>`
        SELECT owner, last_transfer_block > 0 AS moved FROM nft_token
        WHERE concat('0x', encode(address, 'hex'), ' ', token_id) = ${key}`;
      expect(row, key).toEqual({ owner: null, moved: true });
    }
  });

  /** The ids of a collection's tokens by its list, to the end. */
  async function listOf(address: string): Promise<string[]> {
    type Page = { nodes: { tokenId: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    const ids: string[] = [];
    for (let after = ''; ;) {
      const { data, errors } = await gateway.graphql<{ nftCollection: { tokens: Page } | null }>(
        `query ($chainId: String!, $address: String!, $after: String) {
          nftCollection(chainId: $chainId, address: $address) {
            tokens(first: 20, after: $after) { nodes { tokenId } pageInfo { hasNextPage endCursor } }
          }
        }`,
        { chainId, address, after },
      );
      expect(errors).toBeUndefined();
      const page = data.nftCollection?.tokens;
      ids.push(...(page?.nodes ?? []).map(({ tokenId }) => tokenId));
      if (!page?.pageInfo.hasNextPage) return ids;
      after = page.pageInfo.endCursor;
    }
  }

  test('every token that a log names is in the list of its collection, with or without an owner', async () => {
    const stored = await gateway.storage.prisma.$queryRaw<{ address: string; id: string }[]>`
      SELECT concat('0x', encode(address, 'hex')) AS address, token_id::text AS id FROM nft_token ORDER BY token_id`;
    for (const address of new Set(stored.map((each) => each.address)))
      expect(await listOf(address), address).toEqual(
        stored.filter((each) => each.address === address).map(({ id }) => id),
      );
  });

  test('what is no transfer of an NFT makes none: as many tokens as logs name', async () => {
    const single = /^0xc3d58168/;
    const batch = /^0x4a39dc06/;
    const named = new Set(
      logs.flatMap(({ address, topics, data }) => {
        const words = data.slice(2).match(/.{64}/g) ?? [];
        const ids = batch.test(topics[0]!)
          ? words.slice(3, 3 + Number(`0x${words[2]}`))
          : single.test(topics[0]!)
            ? words.slice(0, 1)
            : topics[0]!.startsWith('0xddf252ad') && topics.length === 4
              ? [topics[3]!.slice(2)]
              : [];
        return ids.map((id) => keyOf(address, BigInt(`0x${id}`)));
      }),
    );
    expect(await gateway.storage.prisma.nftToken.count()).toBe(named.size);
  });
});

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
