import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockchainIds, evmChainIds, nativeAssetIds } from '../../../src/avalanche/networks.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { ask, askTwice } from '../../harness/ask.js';
import { idOf, evmAddressOf } from '../../../sample/ids.js';
import { poolOf } from '../../harness/connections.js';
import { realFilling } from '../../harness/real-data.js';
import { hasRealData } from '../../harness/seed.js';
import { readSample } from '../../harness/sample.js';

interface Candidate {
  kind: string;
  value: string;
  isIndexed: boolean;
  match: string;
  name: string | null;
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
  kind value isIndexed match name network blockchainAlias chainId
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

const firstHash = (chain: 'p' | 'x') => readSample().transactionsOf(chain)[0]?.txHash ?? '';

/** Texts of each kind and length among those that find something, a few of each. */
function someTexts(): Expected[] {
  const counts = new Map<string, number>();
  return [...ofLedger(), ...ofEvmChains()].filter(([text, kind]) => {
    const key = `${kind} ${text.length}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    // A number is the number of a block.
    return /\D/.test(text.slice(0, 9)) && !text.includes(':') && (counts.get(key) ?? 0) <= 2;
  });
}

describe('the beginning of an id finds what the id finds', () => {
  test.each([
    ['its first characters', (text: string) => text.slice(0, 12)],
    ['its form in the explorer', (text: string) => `${text.slice(0, 10)}…${text.slice(-6)}`],
    ['with three full stops', (text: string) => `${text.slice(0, 9)}...${text.slice(-4)}`],
    ['its first characters and an ellipsis', (text: string) => `${text.slice(0, 14)}…`],
    ['all but its last character', (text: string) => text.slice(0, -1)],
  ])('%s', async (_title, shorten) => {
    const texts = someTexts();
    expect(new Set(texts.map(([, kind]) => kind)).size).toBeGreaterThan(10);
    for (const [text, kind, scope, node] of texts) {
      const { problem, candidates } = await search(shorten(text));
      expect(candidates, `${kind} ${shorten(text)}`).toContainEqual(
        expect.objectContaining({
          ...scope,
          kind,
          isIndexed: true,
          match: 'ID_BEGINNING',
          node: expect.objectContaining(node),
        }),
      );
      expect(candidates.every(({ isIndexed }) => isIndexed)).toBe(true);
      expect(problem === null || problem.startsWith('More ids begin so')).toBe(true);
    }
  });

  test('in the capitals that it is written in, but for hexadecimal digits and addresses', async () => {
    const txHash = firstHash('p');
    const beginning = txHash.slice(0, 12);
    const swapped = beginning.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    expect((await search(swapped)).candidates).toEqual([]);
    const address = readSample().utxosOf('p')[0]?.addresses[0] ?? '';
    const [{ messageId }] = readSample().rowsOf<{ messageId: string }>('fuji.icm.messages') as [
      { messageId: string },
    ];
    for (const text of [address.slice(0, 14), `P-${address}`.slice(0, 16), messageId.slice(0, 9)])
      expect((await search(text.toUpperCase())).candidates).toEqual((await search(text)).candidates);
  });

  test('on the other network it finds nothing', async () => {
    const txHash = firstHash('p');
    expect((await search(txHash.slice(0, 12), 'fuji')).candidates.length).toBeGreaterThan(0);
    expect(await search(txHash.slice(0, 12), 'mainnet')).toMatchObject({ candidates: [] });
  });
});

/** Adds assets that strangers made. */
async function addAssets(
  pool: ReturnType<typeof poolOf>,
  count: number,
  nameOf: (index: number) => string,
  symbol: string,
) {
  const names = Array.from({ length: count }, (_none, index) => nameOf(index));
  const ids = names.map((name, index) => idOf(`asset ${index} ${name}`));
  await pool.query(
    `INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
     SELECT 'fuji', id, name, $3, 9, 'secp256k1' FROM unnest($1::text[], $2::text[]) AS made(id, name)`,
    [ids, names, symbol],
  );
}

describe('by names', () => {
  const assetOf = (name: string) => ({ kind: 'ASSET', name, network: 'fuji' });

  test('every name of the sample is found in any capitals, whole and by its beginning', async () => {
    const { rowsOf, transactionsOf } = readSample();
    type Chain = { chainName: string; chainId: string; blockchainId?: string };
    const chains = rowsOf<Chain>('evm.chains').map(({ chainName, chainId }) => [chainName, chainId] as const);
    const listed = new Set(rowsOf<Chain>('evm.chains').map(({ blockchainId }) => blockchainId));
    type Created = { txHash: string; blockchainInfo?: { chainName: string } };
    const created = (transactionsOf('p') as Created[]).flatMap(({ txHash, blockchainInfo }) =>
      blockchainInfo && !listed.has(txHash) ? [[blockchainInfo.chainName, txHash] as const] : [],
    );
    const { assets } = await ask<{ assets: { nodes: { assetId: string; name: string; symbol: string }[] } }>(
      gateway,
      '{ assets(network: fuji, first: 100) { nodes { assetId name symbol } } }',
    );
    const named = assets.nodes.flatMap(({ assetId, name, symbol }) =>
      [name, symbol].filter(Boolean).map((each) => [each, assetId] as const),
    );
    for (const all of [chains, created, named]) expect(all.length).toBeGreaterThan(0);
    for (const [name, value] of [...chains, ...created, ...named])
      for (const [text, match] of [
        [name.toUpperCase(), 'NAME'],
        [name.toLowerCase().slice(0, -1), 'NAME_BEGINNING'],
      ] as const) {
        const found = await search(text);
        // More may be called so than are shown.
        if (found.candidates.filter((each) => each.name !== null).length >= 5) continue;
        expect(found.candidates, `${text} of ${value}`).toContainEqual(
          expect.objectContaining({ value, isIndexed: true, match }),
        );
      }
  });

  test('strangers who call their assets AVAX, or begin so, do not hide it, nor one another without end', async () => {
    const pool = poolOf(gateway.storage);
    await addAssets(pool, 500, (index) => (index % 2 === 0 ? 'AVAX' : `Avax ${index}`), 'avax');
    const { candidates } = await search('avax', 'fuji');
    expect(candidates[0]).toMatchObject({ ...assetOf('AVAX'), value: nativeAssetIds.fuji, match: 'NAME' });
    expect(candidates.filter(({ kind }) => kind === 'ASSET')).toHaveLength(5);
    expect(await search('avax', 'fuji')).toEqual(
      await search(' "AVAX" ', 'fuji').then((each) => ({ ...each, text: 'avax' })),
    );
    for (const text of ['ava', 'avalanche'])
      expect((await search(text, 'fuji')).candidates.find(({ kind }) => kind === 'ASSET')?.value).toBe(
        nativeAssetIds.fuji,
      );
    // An id, and the beginning of one, come before names.
    const txHash = firstHash('p');
    await addAssets(pool, 50, () => txHash, txHash.slice(0, 10));
    expect((await search(txHash)).candidates.every(({ name }) => name === null)).toBe(true);
    const [exact, ...others] = (await search(txHash.slice(0, 12))).candidates;
    expect(exact).toMatchObject({ value: txHash, match: 'ID_BEGINNING' });
    expect(others.some(({ match }) => match === 'NAME_BEGINNING')).toBe(true);
  });

  test('a name is found from its second and third word on, and names with wildcards are names', async () => {
    await poolOf(gateway.storage).query(
      `INSERT INTO asset (network, asset_id, name, symbol, denomination, type)
       VALUES ('fuji', $1, 'The (Blue) Quokka-Token of 100%', 'Q_%', 0, 'secp256k1'), ('mainnet', $2, repeat('ÄÖ ', 40), '', 0, 'nft')`,
      [idOf('quokka'), idOf('umlauts')],
    );
    const quokka = { ...assetOf('The (Blue) Quokka-Token of 100%'), value: idOf('quokka') };
    for (const text of ['the (blue)', 'BLUE', 'blue) quokka', 'quokka-t', 'quokka-token of 100%'])
      expect((await search(text)).candidates, text).toEqual([expect.objectContaining(quokka)]);
    expect((await search('q_%')).candidates).toMatchObject([
      { value: idOf('quokka'), name: 'Q_%', match: 'NAME' },
    ]);
    for (const text of ['q__', 'q%', 'token of 100%', 'okka', '%quokka%'])
      expect((await search(text)).candidates, text).toEqual([]);
    expect((await search('äö '.repeat(40))).candidates).toMatchObject([{ value: idOf('umlauts') }]);
  });

  test('a number is a name where something is called so', async () => {
    await addAssets(poolOf(gateway.storage), 2, (index) => (index === 0 ? '7770' : '7770 more'), '');
    const found = await search('7,770');
    expect(indexedOf(found).filter(({ kind }) => kind === 'ASSET')).toMatchObject([
      { name: '7770', match: 'NAME' },
    ]);
    expect(kindsOf(found.candidates)).toContain('BLOCK');
  });

  test('an NFT by the name in its metadata, with its collection', async () => {
    const address = evmAddressOf('collection of names');
    await poolOf(gateway.storage).query(
      `INSERT INTO nft_token (evm_chain_id, address, token_id, metadata_status, standard, metadata_address, name, attributes, fetched_at)
       SELECT 43113, decode(substr($1, 3), 'hex'), i, 'done', 'ERC-721', 'ipfs://' || i, 'Named Thing #' || i, '[]', now()
       FROM generate_series(1, 40) i`,
      [address],
    );
    const { candidates } = await search('named thing');
    expect(kindsOf(candidates)).toEqual(['NFT_COLLECTION', ...Array<string>(5).fill('NFT_TOKEN')]);
    expect(candidates[0]).toMatchObject({ value: address, chainId: '43113', network: 'fuji' });
    const one = await search('Named Thing #7');
    expect(one.candidates).toContainEqual(
      expect.objectContaining({
        kind: 'NFT_TOKEN',
        value: `${address}:7`,
        name: 'Named Thing #7',
        match: 'NAME',
      }),
    );
    expect((await search('named thing', 'mainnet')).candidates).toEqual([]);
  });
});

describe('while a text is typed', () => {
  interface Suggestion {
    kind: string;
    value: string;
    name: string | null;
    network: string | null;
  }
  const fields = 'kind value name network';
  const suggest = async (text: string, network = '') =>
    (
      await askTwice<{ searchSuggestions: Suggestion[] }>(
        gateway,
        `{ searchSuggestions(text: ${JSON.stringify(text)}${network && `, network: ${network}`}) { ${fields} } }`,
      )
    ).searchSuggestions;

  test('what is suggested is found by a search for it', async () => {
    for (const text of [...someTexts().map(([each]) => each.slice(0, 9)), 'ava', 'e', '43113'])
      for (const { kind, value } of await suggest(text)) {
        const { candidates } = await search(value);
        expect(kindsOf(indexedOf({ candidates } as Result)), `${text}: ${kind} ${value}`).toContain(kind);
      }
    expect(await suggest('avax', 'fuji')).toContainEqual({
      kind: 'ASSET',
      value: nativeAssetIds.fuji,
      name: 'AVAX',
      network: 'fuji',
    });
    const txHash = firstHash('x');
    expect((await suggest(txHash.slice(0, 10))).map(({ value }) => value)).toContain(txHash);
    expect(await suggest(txHash.slice(0, 10), 'mainnet')).toEqual([]);
    for (const text of ['', '%', 'nothing is called so']) expect(await suggest(text)).toEqual([]);
  });

  test('there are ten at most, and they cost a fifth of a search at most', async () => {
    await poolOf(gateway.storage).query(
      `INSERT INTO transaction (network, chain, tx_hash, tx_type, block_timestamp, details, tie)
       SELECT 'fuji', 'p', 'zwqzwqzwq' || i, 'CreateChainTx', 1, '{"blockchainInfo": {"chainName": "zwqzwqzwq"}}', i
       FROM generate_series(1, 50) i`,
    );
    expect(await suggest('zwqzwqzwq')).toHaveLength(10);
    const costOf = async (query: string) => {
      const body = JSON.stringify({ query, extensions: { cost: { dryRun: true } } });
      const reply = await gateway.post('/graphql', { 'content-type': 'application/json' }, body);
      return (reply.body as { extensions: { cost: { asked: number } } }).extensions.cost.asked;
    };
    const ofSearch = await costOf('{ search(text: "a") { candidates { kind value name network } } }');
    expect(await costOf(`{ searchSuggestions(text: "a") { ${fields} } }`)).toBeLessThanOrEqual(ofSearch / 5);
  });
});

test("beginnings are found under a linguistic collation too, as a database of one's own may have", async () => {
  const columns = [
    ['transaction', 'tx_hash'],
    ['utxo', 'utxo_id'],
    ['address', 'address'],
    ['asset', 'asset_id'],
    ['chain', 'blockchain_id'],
    ['block', 'hash'],
  ] as const;
  for (const [table, column] of columns)
    await poolOf(gateway.storage).query(
      `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE text COLLATE "en-x-icu"`,
    );
  for (const [text, kind] of someTexts()) {
    const found = await search(`${text.slice(0, 10)}…${text.slice(-6)}`);
    expect(kindsOf(found.candidates), text).toContain(kind);
  }
});

describe.skipIf(!hasRealData)('on real data', () => {
  let real: TestApp;
  beforeAll(async () => {
    real = await createApp({}, { filling: realFilling });
  });
  afterAll(() => real.close());

  test.each([
    ['a chain by its name', 'andromeda', 'BLOCKCHAIN', 'NAME'],
    ['AVAX', 'Avax', 'ASSET', 'NAME'],
  ])('%s', async (_title, text, kind, match) => {
    const { search: found } = await ask<{ search: Result }>(
      real,
      `{ search(text: "${text}") { candidates { kind match name isIndexed node { id } } } }`,
    );
    expect(found.candidates).toContainEqual(expect.objectContaining({ kind, match, isIndexed: true }));
  });

  test('transactions, outputs and addresses by their beginnings', async () => {
    const { rows } = await poolOf(real.storage).query<{ id: string }>(
      `(SELECT tx_hash AS id FROM transaction WHERE id % 2000 = 0) UNION ALL (SELECT utxo_id FROM utxo WHERE id % 4000 = 0)
       UNION ALL (SELECT address FROM address WHERE id % 1000 = 0 AND address <> '')`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { id } of rows)
      for (const text of [id.slice(0, 14), `${id.slice(0, 10)}…${id.slice(-6)}`]) {
        const { search: found } = await ask<{ search: Result }>(
          real,
          `{ search(text: "${text}") { candidates { value match } } }`,
        );
        expect(found.candidates, text).toContainEqual({ value: id, match: 'ID_BEGINNING' });
      }
  });
});
