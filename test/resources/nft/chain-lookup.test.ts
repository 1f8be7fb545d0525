import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import { chainRow } from '../../harness/evm-rows.js';
import { serveJsonRpc } from '../../harness/json-rpc.js';
import type { LoopbackServer } from '../../harness/loopback.js';
import { none } from '../../harness/nft-api.js';
import { importRows } from '../../harness/seed.js';
import { countStatements } from '../../harness/statements.js';

const fujiC = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp';

let gateway: TestApp;
let rpc: LoopbackServer;

beforeAll(async () => {
  rpc = await serveJsonRpc({});
  gateway = await createApp({ FETCH_ALLOW_LOOPBACK: 'true' });
  const chain = chainRow('43113', { blockchainId: fujiC, rpcUrl: rpc.url });
  await importRows(gateway.storage, 'evm.chains', [chain]);
});

afterAll(async () => {
  await gateway.close();
  await rpc.close();
});

test.each([
  ['EVM id', '43113'],
  ['blockchain id', fujiC],
])('a request to reindex looks its chain up once, which it names by %s', async (how, chainId) => {
  const { result, statements } = await countStatements(() =>
    gateway.graphql(
      /* GraphQL */ `
        mutation ($chainId: String!, $address: String!, $tokenId: BigNumber!) {
          reindexNft(chainId: $chainId, address: $address, tokenId: $tokenId) {
            token {
              chain {
                blockchainId
              }
            }
          }
        }
      `,
      { chainId, address: none, tokenId: `${how.length}` },
    ),
  );
  expect(result.errors).toBeUndefined();
  expect(result.data).toEqual({ reindexNft: { token: { chain: { blockchainId: fujiC } } } });
  expect(statements.filter((text) => text.includes('FROM chain c'))).toHaveLength(1);
});
