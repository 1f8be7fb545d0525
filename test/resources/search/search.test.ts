import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds, evmChainIds, nativeAssetIds } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { ask, askTwice } from '../../harness/ask.js';
import { readSample } from '../../harness/sample.js';

interface Candidate {
  kind: string;
  value: string;
  isIndexed: boolean;
  network: string | null;
  blockchainAlias: string | null;
  chainId: string | null;
  node: ({ __typename: string; id: string } & Record<string, unknown>) | null;
}

interface Result {
  text: string;
  problem: string | null;
  candidates: Candidate[];
}

const result = `text problem candidates {
  kind value isIndexed network blockchainAlias chainId
  node {
    __typename id
    ... on Transaction { txHash }
    ... on Block { number blockAlias: blockchainAlias hash }
    ... on Vertex { vertexHash }
    ... on Address { address }
    ... on Utxo { utxoId }
    ... on Asset { assetId }
    ... on Validator { nodeId }
    ... on Subnet { subnetId }
    ... on Chain { evmId: chainId }
    ... on L1Validator { validationId }
    ... on EvmAddress { evmAddress: address }
    ... on InternalTransaction { evmHash: txHash }
    ... on IcmMessage { messageId sourceTransaction { txHash } destinationTransaction { txHash } }
    ... on NftCollection { contract: address }
    ... on NftToken { token: address tokenId }
  }
}`;

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp(
    { MAX_COST: '10000000', MAX_ALIASES: '1000', MAX_TOKENS: '100000' },
    { sample: true },
  );
});
afterAll(() => gateway.close());

async function search(text: string, network = ''): Promise<Result> {
  const given = `text: ${JSON.stringify(text)}${network && `, network: ${network}`}`;
  return (await ask<{ search: Result }>(gateway, `{ search(${given}) { ${result} } }`)).search;
}

const indexedOf = ({ candidates }: Result) => candidates.filter(({ isIndexed }) => isIndexed);
const kindsOf = (candidates: readonly Candidate[]) => candidates.map(({ kind }) => kind);

/** Something of the sample: a text, and members of the candidate and its node that it has to find. */
type Expected = [text: string, kind: string, scope: Partial<Candidate>, node: Record<string, unknown>];

interface EvmRow {
  address: string;
  contractAddress: string;
}

const fuji = { network: 'fuji' };

function ofLedger(): Expected[] {
  const { transactionsOf, allTransactions, allUtxos, rowsOf } = readSample();
  const onChains = (['p', 'x', 'c'] as const).flatMap((chain) =>
    transactionsOf(chain).flatMap(({ txHash, blockNumber, blockHash }): Expected[] => {
      const scope = { ...fuji, blockchainAlias: `${chain}-chain` };
      const block = { number: blockNumber, blockAlias: scope.blockchainAlias };
      return [
        [txHash, 'TRANSACTION', scope, { txHash }],
        ...(blockNumber ? [[blockNumber, 'BLOCK', scope, block] satisfies Expected] : []),
        ...(blockHash ? [[blockHash, 'BLOCK', scope, { ...block, hash: blockHash }] satisfies Expected] : []),
      ];
    }),
  );
  type Named = { nodeId?: string; subnetId?: string; l1ValidatorDetails?: { validationId: string }[] };
  const named = (allTransactions as Named[]).flatMap(({ nodeId, subnetId, l1ValidatorDetails }) => [
    ...(nodeId ? [[nodeId, 'VALIDATOR', fuji, { nodeId }] satisfies Expected] : []),
    ...(subnetId ? [[subnetId, 'SUBNET', fuji, { subnetId }] satisfies Expected] : []),
    ...(l1ValidatorDetails ?? []).map(({ validationId }): Expected => [
      validationId,
      'L1_VALIDATOR',
      fuji,
      { validationId },
    ]),
  ]);
  const outputs = allUtxos.flatMap(({ utxoId, addresses, asset: { assetId } }): Expected[] => [
    [utxoId, 'UTXO', fuji, { utxoId }],
    [assetId, 'ASSET', fuji, { assetId }],
    ...addresses.map((address): Expected => [address, 'ADDRESS', fuji, { address }]),
  ]);
  const vertices = rowsOf<{ vertexHash: string }>('fuji.x-chain.vertices').map(({ vertexHash }): Expected => [
    vertexHash,
    'VERTEX',
    fuji,
    { vertexHash },
  ]);
  return [...onChains, ...named, ...outputs, ...vertices];
}

function ofEvmChains(): Expected[] {
  const { rowsOf } = readSample();
  const chainId = '43113';
  const scope = { ...fuji, chainId };
  const party = (address: string): Expected => [address, 'EVM_ADDRESS', scope, { evmAddress: address }];
  type Chain = { chainId: string; blockchainId?: string; isTestnet: boolean };
  const chains = rowsOf<Chain>('evm.chains').flatMap(({ chainId: evmId, blockchainId, isTestnet }) =>
    [evmId, ...(blockchainId ? [blockchainId] : [])].map((text): Expected => {
      const network = isTestnet ? 'fuji' : 'mainnet';
      return [text, 'BLOCKCHAIN', { network, chainId: evmId }, { evmId }];
    }),
  );
  type Frame = { txHash: string; from: EvmRow; to: EvmRow };
  const frames = rowsOf<Frame>('evm.43113.internal-transactions').flatMap(
    ({ txHash, from, to }): Expected[] => [
      [txHash, 'EVM_TRANSACTION', scope, { evmHash: txHash }],
      party(from.address),
      party(to.address),
    ],
  );
  const messages = rowsOf<{ messageId: string }>('fuji.icm.messages').map(({ messageId }): Expected => [
    messageId,
    'ICM_MESSAGE',
    fuji,
    { messageId },
  ]);
  type Token = EvmRow & { tokenId: string; evmChainId: string; owner?: string };
  const tokens = rowsOf<Token>('evm.nft-tokens').flatMap(({ evmChainId, address, tokenId, owner }) => [
    [
      `${address}:${tokenId}`,
      'NFT_TOKEN',
      { chainId: evmChainId },
      { token: address, tokenId },
    ] satisfies Expected,
    // A collection is known by tokens with an owner, or with metadata.
    ...(owner
      ? [
          [address, 'NFT_COLLECTION', { chainId: evmChainId }, { contract: address }] satisfies Expected,
          [owner, 'EVM_ADDRESS', { chainId: evmChainId }, { evmAddress: owner }] satisfies Expected,
        ]
      : []),
  ]);
  const balances = ['native-balances', 'erc20-balances', 'nft-holdings'].flatMap((name) =>
    rowsOf<EvmRow>(`evm.${chainId}.${name}`).map(({ address }) => party(address)),
  );
  const contracts = rowsOf<EvmRow>('evm.43113.erc20-balances').map((each) => party(each.contractAddress));
  return [...chains, ...frames, ...messages, ...tokens, ...balances, ...contracts];
}

describe('every id of the sample is found by a search for it', () => {
  test.each([
    ['of the primary network', ofLedger, 200],
    // Each is eight statements of its own.
    ['of EVM chains', ofEvmChains, 8],
  ])('%s', async (_of, expected, together) => {
    const wanted = [...new Map(expected().map((each) => [JSON.stringify(each), each])).values()];
    const texts = [...new Set(wanted.map(([text]) => text))];
    const found = new Map<string, Result>();
    // One document, which is validated once.
    const scopes = Array.from({ length: together }, (_, index) => index);
    const query = `query Every(${scopes.map((index) => `$t${index}: String!`).join(' ')}) {
      ${scopes.map((index) => `s${index}: search(text: $t${index}) { ...Found }`).join(' ')}
    } fragment Found on SearchResult { ${result} }`;
    for (let from = 0; from < texts.length; from += together) {
      const some = scopes.map((index) => texts[from + index] ?? '');
      const variables = Object.fromEntries(some.map((text, index) => [`t${index}`, text]));
      const { data, errors } = await gateway.graphql<Record<string, Result>>(query, variables);
      expect(errors).toBeUndefined();
      some.forEach((text, index) => found.set(text, data[`s${index}`] as Result));
    }
    expect(wanted.length).toBeGreaterThan(500);
    for (const [text, kind, scope, node] of wanted) {
      const all = (found.get(text) as Result).candidates.filter((each) => each.kind === kind);
      expect(all, `${kind} ${text}`).toContainEqual(
        expect.objectContaining({ ...scope, isIndexed: true, node: expect.objectContaining(node) }),
      );
    }
    for (const { candidates } of found.values()) expect(candidates.length).toBeLessThanOrEqual(24);
  });

  test('a transaction that sent or delivered messages is found by these', async () => {
    type End = { txHash: string };
    const messages = readSample().rowsOf<{
      sourceTransaction?: End;
      destinationTransaction?: End;
      sourceEvmChainId: string;
      destinationEvmChainId: string;
    }>('fuji.icm.messages');
    for (const { sourceTransaction, destinationTransaction, ...chains } of messages.slice(0, 20)) {
      const sides = [
        [sourceTransaction?.txHash, chains.sourceEvmChainId],
        [destinationTransaction?.txHash, chains.destinationEvmChainId],
      ] as const;
      for (const [txHash, chainId] of sides) {
        if (!txHash) continue;
        const scopes = indexedOf(await search(txHash));
        expect(kindsOf(scopes)).toEqual(['EVM_TRANSACTION']);
        expect(scopes[0]).toMatchObject({ chainId, network: 'fuji', value: txHash });
      }
    }
  });
});

/** The stored EVM chains where the sample has something of an address, by looking at every row. */
function chainsOfAddresses(): Map<string, Set<string>> {
  const { files, rowsOf } = readSample();
  const scopes = new Map<string, Set<string>>();
  const stored = new Set(rowsOf<{ chainId: string }>('evm.chains').map(({ chainId }) => chainId));
  const add = (address: string, chainId: string) => {
    if (stored.has(chainId)) scopes.set(address, (scopes.get(address) ?? new Set()).add(chainId));
  };
  for (const name of files.keys()) {
    const [, chainId = '', rows] = /^evm\.(\d+)\.(.+)$/.exec(name) ?? [];
    if (rows === 'internal-transactions')
      for (const { from, to } of rowsOf<{ from: EvmRow; to: EvmRow }>(name))
        for (const { address } of [from, to]) add(address, chainId);
    else if (rows)
      for (const { address, contractAddress } of rowsOf<EvmRow>(name)) {
        add(address, chainId);
        if (rows === 'erc20-balances') add(contractAddress, chainId);
      }
  }
  for (const { owner, evmChainId } of rowsOf<{ owner?: string; evmChainId: string }>('evm.nft-tokens'))
    if (owner) add(owner, evmChainId);
  type Message = { from: string; to: string; sourceEvmChainId: string; destinationEvmChainId: string };
  for (const { from, to, ...message } of rowsOf<Message>('fuji.icm.messages')) {
    add(from, message.sourceEvmChainId);
    add(to, message.destinationEvmChainId);
  }
  return scopes;
}

test('an EVM address is found on all chains where it has anything, and on no other', async () => {
  const scopes = chainsOfAddresses();
  let found = 0;
  for (const [address, chains] of scopes) {
    const all = indexedOf(await search(address)).filter(({ kind }) => kind === 'EVM_ADDRESS');
    expect(all.map(({ chainId }) => chainId).sort(), address).toEqual([...chains].sort());
    found += all.length;
  }
  // Many have messages on several chains.
  expect(found).toBeGreaterThan(scopes.size + 100);
});

test('a text is everything that has its id, indexed things first, and what it could be else is said', async () => {
  const { problem, candidates } = await search(nativeAssetIds.fuji);
  expect(problem).toBeNull();
  expect(candidates.map(({ kind, isIndexed, network }) => [kind, isIndexed, network])).toEqual([
    ['TRANSACTION', true, 'fuji'],
    ['ASSET', true, 'fuji'],
    ...['BLOCK', 'VERTEX', 'UTXO', 'SUBNET', 'BLOCKCHAIN', 'L1_VALIDATOR'].map((kind) => [kind, false, null]),
  ]);
  expect(candidates.filter(({ isIndexed }) => !isIndexed).every(({ node }) => node === null)).toBe(true);
});

test('with a network only that one is searched, and an address of another one is said to be one', async () => {
  const here = await search(nativeAssetIds.fuji, 'mainnet');
  expect(indexedOf(here)).toEqual([]);
  expect(new Set(here.candidates.map(({ network }) => network))).toEqual(new Set(['mainnet']));
  const address = readSample().utxosOf('p')[0]?.addresses[0] ?? '';
  expect(await search(address, 'mainnet')).toMatchObject({
    candidates: [],
    problem: 'This is an address of fuji, and only mainnet was searched.',
  });
  const evmChain = readSample().rowsOf<{ chainId: string }>('evm.chains')[0]?.chainId ?? '';
  expect(indexedOf(await search(evmChain, 'mainnet'))).toEqual([]);
});

test('chains of the primary network are found by alias, by id and, the C-chain, by EVM chain id', async () => {
  for (const [text, blockchainAlias, node] of [
    ['P-Chain', 'p-chain', null],
    [blockchainIds.fuji.x, 'x-chain', null],
    ['c-chain', 'c-chain', 'Chain'],
    [blockchainIds.fuji.c, 'c-chain', 'Chain'],
    [String(evmChainIds.fuji), 'c-chain', 'Chain'],
  ] as const) {
    const found = indexedOf(await search(text)).find(
      ({ kind, network }) => kind === 'BLOCKCHAIN' && network === 'fuji',
    );
    expect(found, text).toMatchObject({ blockchainAlias });
    expect(found?.node?.__typename ?? null).toBe(node);
  }
  // Its id is that of the primary network, which is a subnet too.
  expect(kindsOf((await search(blockchainIds.fuji.p)).candidates)).toContain('SUBNET');
});

test('the answer is the same for a document that was seen before, and node leads on', async () => {
  const { txHash } = readSample().transactionsOf('x')[5]!;
  const query = `{ search(text: "${txHash}") { candidates { kind node { id ... on Transaction { txHash emittedUtxos(first: 2) { nodes { utxoId } } } } } } }`;
  const answer = await askTwice<{ search: { candidates: { node: { id: string } | null }[] } }>(
    gateway,
    query,
  );
  const id = answer.search.candidates[0]?.node?.id;
  expect(await ask(gateway, `{ node(id: "${id}") { ... on Transaction { txHash } } }`)).toEqual({
    node: { txHash },
  });
});
