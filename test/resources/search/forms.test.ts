import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAddress } from '../../../src/avalanche/address.js';
import { encodeCb58 } from '../../../src/avalanche/cb58.js';
import { bech32 } from '@scure/base';
import { cleanings } from '../../../src/avalanche/text/cleanings.js';
import { createApp, type TestApp } from '../../harness/app.js';

interface Result {
  text: string;
  problem: string | null;
  candidates: { kind: string; value: string; isIndexed: boolean; network: string | null }[];
}

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp();
});
afterAll(() => gateway.close());

const query = `query Search($text: String!, $network: Network) {
  search(text: $text, network: $network) { text problem candidates { kind value isIndexed network node { id } } }
}`;

async function search(text: string, network?: string): Promise<Result> {
  const { data, errors } = await gateway.graphql<{ search: Result }>(query, { text, network });
  expect(errors).toBeUndefined();
  return data.search;
}

const bytes = (length: number) => Buffer.alloc(length, 0xa7);
const id = encodeCb58(bytes(32));
const node = encodeCb58(bytes(20));
const address = formatAddress('fuji', bytes(20));
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const hash = `0x${'a7'.repeat(32)}`;
const other = (text: string) => `${text.slice(0, -1)}${text.endsWith('q') ? 'p' : 'q'}`;
const ofId = 'TRANSACTION BLOCK VERTEX UTXO ASSET SUBNET BLOCKCHAIN L1_VALIDATOR';
const ofHash = 'BLOCK EVM_TRANSACTION ICM_MESSAGE';

describe('a text of each form is said to be what it could be, with the form of replies', () => {
  test.each([
    [id, ofId, id],
    [address, 'ADDRESS', address],
    [`P-${address}`, 'ADDRESS', address],
    [`x-${address}`, 'ADDRESS', address],
    [`C-${address.toUpperCase()}`, 'ADDRESS', address],
    [formatAddress('mainnet', bytes(20)), 'ADDRESS', formatAddress('mainnet', bytes(20))],
    [`NodeID-${node}`, 'VALIDATOR', `NodeID-${node}`],
    [`nodeid-${node}`, 'VALIDATOR', `NodeID-${node}`],
    [node, 'VALIDATOR', `NodeID-${node}`],
    ['12345', 'BLOCK BLOCKCHAIN', '12345'],
    ['0012345', 'BLOCK BLOCKCHAIN', '12345'],
    ['0', 'BLOCK BLOCKCHAIN', '0'],
    ['18446744073709551615', 'BLOCK BLOCKCHAIN', '18446744073709551615'],
    ['X-Chain', 'BLOCKCHAIN', 'x-chain'],
    [evm, 'EVM_ADDRESS NFT_COLLECTION', evm],
    [evm.toLowerCase(), 'EVM_ADDRESS NFT_COLLECTION', evm],
    [`0X${evm.slice(2).toUpperCase()}`, 'EVM_ADDRESS NFT_COLLECTION', evm],
    [evm.slice(2), 'EVM_ADDRESS NFT_COLLECTION', evm],
    [`${evm.toLowerCase()}:007`, 'NFT_TOKEN', `${evm}:7`],
    [`${evm}:${2n ** 256n - 1n}`, 'NFT_TOKEN', `${evm}:${2n ** 256n - 1n}`],
    [hash, ofHash, hash],
    [hash.toUpperCase(), ofHash, hash],
    [hash.slice(2), ofHash, hash],
  ])('%s', async (text, kinds, value) => {
    const { problem, candidates } = await search(text);
    expect(problem).toBeNull();
    expect(candidates.map(({ kind }) => kind)).toEqual(kinds.split(' '));
    for (const each of candidates) {
      expect(each).toMatchObject({ isIndexed: false, node: null });
      expect(each.value).toBe(each.kind === 'ICM_MESSAGE' ? value.slice(2) : value);
    }
  });
});

describe('a text with a mistake gets it said in words', () => {
  test.each([
    [other(id), /looks like an id, but its checksum is wrong/],
    [id.slice(1), /looks like an id, but its checksum is wrong/],
    [`NodeID-${other(node)}`, /looks like a node id, but its checksum/],
    [`NodeID-${id}`, /looks like a node id/],
    ['NodeID-', /looks like a node id/],
    [other(address), /looks like an address of fuji, but its checksum is wrong/],
    [`${address}qq`, /looks like an address of fuji, but its checksum is wrong/],
    [`D-${address}`, /no chain has the prefix D-/],
    [address.replace('f', 'F'), /mixes capitals and small letters/],
    [bech32.encode('fuji', bech32.toWords(bytes(19))), /has 19 bytes instead of 20/],
    [
      bech32.encode('cosmos', bech32.toWords(bytes(20))),
      /begins with cosmos1\. Addresses begin with avax1 on mainnet and fuji1 on fuji/,
    ],
    ['0x', /has 0 hexadecimal digits; an EVM address has 40/],
    [evm.slice(0, -1), /has 39 hexadecimal digits/],
    [`0x${'g'.repeat(40)}`, /no hexadecimal digits/],
    [`${evm}:${2n ** 256n}`, /at most 2\^256-1/],
    ['9'.repeat(21), /larger than that of any block/],
    ['', /is empty/],
    [' \t\n\u200b\u0000', /is empty/],
    ['Avalanche', /Nothing that is indexed is called so/],
    ['<img src=x onerror=alert(1)>', /Nothing that is indexed is called so/],
    ["'; DROP TABLE utxo; --", /Nothing that is indexed is called so/],
    ['ავალანშე', /Nothing that is indexed is called so/],
    ['%', /Nothing that is indexed is called so/],
    ['_______', /Nothing that is indexed is called so/],
    ['\ud800', /Nothing that is indexed is called so/],
    [id.slice(0, 7), /at least 8 characters are needed/],
  ])('%j', async (text, problem) => {
    const result = await search(text);
    expect(result.problem).toMatch(problem);
    expect(result.candidates).toEqual([]);
  });

  test('wrong capitals of an EVM address are said, and it is searched all the same', async () => {
    const text = evm.replace('aA', 'Aa');
    for (const given of [text, `${text}:1`]) {
      const { problem, candidates } = await search(given);
      expect(problem).toMatch(/EIP-55/);
      expect(candidates[0]?.value.startsWith(evm)).toBe(true);
    }
  });
});

describe('what people copy with an id is cleaned from it', () => {
  test.each(cleanings)('$what', async ({ example, cleaned }) => {
    const result = await search(example);
    expect(result.text).toBe(cleaned);
    expect(result.problem).toBeNull();
    expect(result).toEqual(await search(cleaned));
  });

  test('as docs/explorer.md says', () => {
    const page = readFileSync(new URL('../../../docs/explorer.md', import.meta.url), 'utf8');
    const section = page.split('## What a search cleans')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| (.+?) \| `/gm)].map(([, what]) => what);
    expect(rows).toEqual(cleanings.map(({ what }) => what));
  });

  const page = 'https://user:7@explorer.example:8443';
  test.each([
    // Quotes, brackets and commas around a text.
    [`"${id}"`, id],
    [`“${id}”,`, id],
    [`, '${address}';`, address],
    [`(\`${evm}\`).`, evm],
    ['"block 1,234".', '1234'],
    // Words and signs before it.
    ['# 42', '42'],
    ['Block #1 234 567', '1234567'],
    ["block number: 1'234", '1234'],
    ['height 7', '7'],
    [`TxID=${id}`, id],
    [`block hash ${hash}`, hash],
    [`Address: P-${address}`, `P-${address}`],
    [`validator NodeID-${node}`, `NodeID-${node}`],
    // Outputs and tokens.
    [`${id}:0`, `${id}:0`],
    [`${id}[12]`, `${id}:12`],
    [`${evm} #7`, `${evm}:7`],
    [`${evm}?a=7`, `${evm}:7`],
    // Pages of this explorer.
    [`/explore/fuji/p-chain/transactions/${id}`, id],
    [`http://127.0.0.1:8080/explore/fuji/p-chain/blocks/1234`, '1234'],
    [`/explore/fuji/addresses/${address}`, address],
    [`/explore/fuji/validators/NodeID-${node}`, `NodeID-${node}`],
    [`/explore/fuji/evm/43113/nfts/${evm}/7`, `${evm}:7`],
    [`/explore/fuji/search?text=${encodeURIComponent(`tx ${id}`)}`, id],
    // Pages of others.
    [`${page}/tx/${hash}?chainid=43114#eventlog`, hash],
    [`${page}/block/1234`, '1234'],
    [`${page}/token/${evm}?a=7`, `${evm}:7`],
    [`${page}/token/${evm}/instance/7/holders`, `${evm}:7`],
    [`explorer.example/p-chain/address/P-${address}/`, `P-${address}`],
    // Rows of this API and of others.
    [JSON.stringify({ txHash: id, blockHash: node, consumedUtxos: [{ utxoId: node }] }), id],
    [JSON.stringify([{ address: evm, tokenId: '7', owner: evm }]), `${evm}:7`],
    [JSON.stringify({ nodeId: `NodeID-${node}`, subnetId: id }, null, 2), `NodeID-${node}`],
    [JSON.stringify({ transactionIndex: 3, hash }), hash],
    [JSON.stringify({ blockNumber: '1234', blockType: 'standard' }), '1234'],
  ])('%s', async (given, text) => {
    expect(await search(given)).toEqual(await search(text));
    expect((await search(given)).text).toBe(text);
  });

  test.each([
    // Words with a number that may be a name, an output beyond the last, and rows that say nothing.
    'Token 5',
    `${id}:4294967296`,
    '{"a": 1}',
    '[[[[[[[[[[[[',
    '{"txHash": {"txHash": 7}}',
    `0x${'00'.repeat(80)}`,
    'https://explorer.example/%E0%A4%A',
  ])('%s is not', async (given) => {
    expect(await search(given)).toMatchObject({ text: given, candidates: [] });
  });
});

test('an output is searched for by its transaction and index as by its id', async () => {
  const { candidates } = await search(`${id}:0`);
  expect(candidates.map(({ kind }) => kind)).toEqual(['TRANSACTION', 'UTXO']);
  expect(candidates[0]?.value).toBe(id);
});

test.each([
  ' ',
  ',',
  '"',
  '(',
  '.',
  '…',
  "'",
  '0x0',
  'a.',
  '1,',
  '{',
  '%20',
  '/',
  '#',
  'NodeID-',
  '\u0000',
  '𝔸',
])('a text that repeats %j as often as it may is answered', async (part) => {
  const given = `x${part.repeat(8192)}`.slice(0, 8190);
  for (const text of [given, `https://a.b/${given}`.slice(0, 8192), `{"a":"${given}`.slice(0, 8192)])
    expect((await search(text)).problem).not.toBeNull();
});

test('spaces around a text, control characters and invisible ones make no difference', async () => {
  const plain = await search(id);
  for (const text of [
    ` ${id}\n`,
    `\u00a0${id}\ufeff`,
    `\u202e${id.slice(0, 9)}\u200b\u0000${id.slice(9)}\u0007`,
  ])
    expect(await search(text)).toEqual(plain);
  expect(plain.text).toBe(id);
});

test('a text that is too long is refused, and the longest is not', async () => {
  const { data, errors } = await gateway.graphql(query, { text: 'z'.repeat(10_000) });
  expect(data).toEqual({ search: null });
  expect(errors).toMatchObject([
    { message: 'text: 10000 characters are too many; at most 8192', extensions: { code: 'BAD_USER_INPUT' } },
  ]);
  expect((await search('z'.repeat(8192))).candidates).toEqual([]);
});

test('whatever the text is, it is answered, and what it could be is the same for what is said of it', async () => {
  const fragment = fc.constantFrom(
    id,
    node,
    address,
    evm,
    hash,
    '0x',
    '-',
    ':',
    '1',
    'NodeID-',
    '\u202e',
    ' ',
    '…',
    '"',
    ',',
    '#',
    'block ',
    'tx ',
    '{"txHash": "',
    '"}',
    'https://a.example/tx/',
  );
  const text = fc
    .array(fc.oneof(fragment, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 5 })
    .map((parts) => parts.join('').slice(0, 256));
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(undefined, 'mainnet', 'fuji'), async (given, network) => {
      const result = await search(given, network);
      expect(result.problem === null && result.candidates.length === 0).toBe(false);
      expect(await search(result.text, network)).toEqual(result);
      for (const { kind, value } of result.candidates) {
        const again = await search(value, network);
        expect(again.candidates.map((each) => each.kind)).toContain(kind);
      }
    }),
    { numRuns: 60 },
  );
});
