import { gzipSync } from 'node:zlib';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MetadataReader, openMetadataReader } from '../../harness/metadata-reader.js';

const document = {
  name: 'Aurora #1',
  description: 'A light.',
  image: 'ipfs://QmImage/1.png',
  attributes: [
    { trait_type: 'Colour', value: 'green' },
    { trait_type: 'Power', value: 12345678901234567890n, display_type: 'number' },
    { value: true },
    'nonsense',
  ],
  artist: 'kept in raw',
};
const text = JSON.stringify(document, (_key, value: unknown) =>
  typeof value === 'bigint' ? '#BIG' : value,
).replace('"#BIG"', '12345678901234567890');

let reader: MetadataReader;
/** Content types that servers send for JSON; each under a separate path. */
const mislabelled = ['text/html', 'application/javascript', 'application/json, text/html', 'video/mp4'];
const cid = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';
const erc1155 = (id: Hex) => id === '0xd9b67a26';

beforeAll(async () => {
  reader = await openMetadataReader((request, response) => {
    const type = mislabelled[Number(/^\/type(\d)$/.exec(request.url!)?.[1])];
    if (type) {
      response.setHeader('content-type', type).end(text);
      return;
    }
    if (request.url?.endsWith('.png')) {
      // More than is read of a document.
      response.setHeader('content-type', 'image/png').end(Buffer.alloc(2 * 1024 * 1024));
      return;
    }
    if (request.url === '/moved') {
      response.writeHead(301, { location: '/1.json' }).end();
      return;
    }
    response.setHeader(
      'content-type',
      request.url === '/octets' ? 'application/octet-stream' : 'application/json',
    );
    if (request.url === '/gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync(text));
    else response.end(text);
  });
});
afterAll(() => reader.close());

describe('the metadata of a token', () => {
  test('is read from the web address that tokenURI of an ERC-721 contract gives', async () => {
    const metadata = await reader.read({ tokenURI: (id) => `${reader.webUrl}/${id}.json` });
    expect(reader.asked()).toEqual(['/1.json']);
    expect(metadata).toEqual({
      standard: 'ERC-721',
      metadataAddress: `${reader.webUrl}/1.json`,
      document: {
        name: 'Aurora #1',
        description: 'A light.',
        image: 'ipfs://QmImage/1.png',
        attributes: [
          { traitType: 'Colour', value: 'green', displayType: null },
          { traitType: 'Power', value: '12345678901234567890', displayType: 'number' },
          { traitType: null, value: 'true', displayType: null },
        ],
        raw: text,
      },
    });
  });

  test('is read from the address that uri of an ERC-1155 contract gives, with the id in 64 hex digits', async () => {
    const tokenId = 0xabcdefn;
    const hex = '0'.repeat(58) + 'abcdef';
    const metadata = await reader.read({ uri: () => `${reader.webUrl}/{id}.json?again={id}` }, { tokenId });
    expect(reader.asked()).toEqual([`/${hex}.json?again=${hex}`]);
    expect(metadata.standard).toBe('ERC-1155');
  });

  test('has the id in the strings of an ERC-1155 document, and not in those of an ERC-721 one', async () => {
    const inline = `data:application/json,{"name":"{id}","image":"ipfs://x/{id}.png"}`;
    const multi = await reader.read({ uri: () => inline }, { tokenId: 2n ** 256n - 1n });
    expect(multi.document.name).toBe('f'.repeat(64));
    expect(multi.document.image).toBe(`ipfs://x/${'f'.repeat(64)}.png`);
    expect((await reader.read({ tokenURI: () => inline })).document.name).toBe('{id}');
  });

  test('is that of an ERC-1155 contract where one that answers tokenURI too says that it is one', async () => {
    const contract = {
      tokenURI: () => `${reader.webUrl}/wrong.json`,
      uri: () => `${reader.webUrl}/{id}.json`,
      supportsInterface: erc1155,
    };
    const metadata = await reader.read(contract);
    expect(metadata.standard).toBe('ERC-1155');
    expect(reader.asked()).toEqual([`/${'0'.repeat(63)}1.json`]);
    const withoutUri = await reader.read({ tokenURI: contract.tokenURI, supportsInterface: erc1155 });
    expect(withoutUri.standard).toBe('ERC-1155');
    expect(reader.asked()).toEqual(['/wrong.json']);
    const other = await reader.read({ ...contract, supportsInterface: (id) => id === '0x80ac58cd' });
    expect(other.standard).toBe('ERC-721');
    expect(reader.asked()).toEqual(['/wrong.json']);
  });

  test.each(['{id}', '%7Bid%7D', '%7bid%7d'])('has the id for %s in any address', async (placeholder) => {
    await reader.read({ tokenURI: () => `${reader.webUrl}/${placeholder}.json` }, { tokenId: 255n });
    expect(reader.asked()).toEqual([`/${'0'.repeat(62)}ff.json`]);
  });

  test.each([
    [
      'ar://V_U5OTZ1nx0vPCmFlEHZkVLoHyRmYcOmHZ7hYVn7bY4/1',
      '/arweave/V_U5OTZ1nx0vPCmFlEHZkVLoHyRmYcOmHZ7hYVn7bY4/1',
    ],
    [cid, `/gateway/ipfs/${cid}`],
    [`/ipfs/${cid}/1.json`, `/gateway/ipfs/${cid}/1.json`],
    [`https://ipfs.io/ipfs/${cid}/{id}`, `/gateway/ipfs/${cid}/${'0'.repeat(63)}1`],
  ])('is read for %s through the gateway that is configured', async (written, path) => {
    expect((await reader.read({ tokenURI: () => written })).document.name).toBe('Aurora #1');
    expect(reader.asked()).toEqual([path]);
  });

  test.each(mislabelled.map((type, index) => [type, index]))(
    'is read from JSON that a server calls %s',
    async (_type, index) => {
      const metadata = await reader.read({ tokenURI: () => `${reader.webUrl}/type${index}` });
      expect(metadata.document.name).toBe('Aurora #1');
    },
  );

  test('is the image alone where the address leads to one', async () => {
    const svg = `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`;
    for (const image of [`${reader.webUrl}/1.png`, `ipfs://${cid}/1.png`, svg]) {
      expect((await reader.read({ tokenURI: () => image })).document).toEqual({
        name: null,
        description: null,
        image,
        attributes: [],
        raw: null,
      });
    }
    const long = await reader.read({ tokenURI: () => `data:image/png,${'x'.repeat(100_000)}` });
    expect(long.document.image).toBeNull();
  });

  test('is read from JSON that stands where its address should', async () => {
    const metadata = await reader.read({ tokenURI: () => text });
    expect(metadata.document).toMatchObject({ name: 'Aurora #1', raw: text });
    expect(metadata.metadataAddress).toBe(text.slice(0, 64));
  });

  const traitForms: [string, object, { traitType: string | null; value: string | null }[]][] = [
    [
      'a list as value',
      { attributes: [{ trait_type: 'Colours', value: ['red', 'blue', 3, true] }] },
      [{ traitType: 'Colours', value: 'red, blue, 3, true' }],
    ],
    [
      'an object as value',
      { attributes: [{ trait_type: 'Size', value: { width: 3 } }] },
      [{ traitType: 'Size', value: '{"width":"3"}' }],
    ],
    [
      'properties together with an empty list of attributes',
      { attributes: [], traits: {}, properties: { Eyes: 'blue' } },
      [{ traitType: 'Eyes', value: 'blue' }],
    ],
    [
      'the properties of ERC-1155',
      {
        properties: {
          simple: 'text',
          rich: { name: 'Name', value: '123', display_value: '123 Example' },
          array: { name: 'Array', value: [1, 2], class: 'emphasis' },
        },
      },
      [
        { traitType: 'simple', value: 'text' },
        { traitType: 'rich', value: '123' },
        { traitType: 'array', value: '1, 2' },
      ],
    ],
    ['traits', { traits: [{ traitType: 'Eyes', value: 'blue' }] }, [{ traitType: 'Eyes', value: 'blue' }]],
    ['a map', { attributes: { Eyes: 'blue' } }, [{ traitType: 'Eyes', value: 'blue' }]],
  ];
  test.each(traitForms)('has traits from %s', async (_form, fields, expected) => {
    const { document } = await reader.read({ tokenURI: () => JSON.stringify(fields) });
    expect(document.attributes).toEqual(expected.map((each) => ({ ...each, displayType: null })));
  });

  test.each(['image', 'image_url', 'imageUrl', 'image_uri', 'image_data'])(
    'has its image from the field %s',
    async (field) => {
      const { document } = await reader.read({
        tokenURI: () => JSON.stringify({ image: '', [field]: 'ipfs://x' }),
      });
      expect(document.image).toBe('ipfs://x');
    },
  );

  test('is read through the configured gateway for ipfs addresses', async () => {
    await reader.read({ tokenURI: (id) => `ipfs://QmHash/folder/${id}.json` });
    expect(reader.asked()).toEqual(['/gateway/ipfs/QmHash/folder/1.json']);
  });

  test('follows redirects, unpacks gzip and takes JSON that a server calls octets', async () => {
    expect((await reader.read({ tokenURI: () => `${reader.webUrl}/moved` })).document.name).toBe('Aurora #1');
    expect((await reader.read({ tokenURI: () => `${reader.webUrl}/gzip` })).document.name).toBe('Aurora #1');
    expect((await reader.read({ tokenURI: () => `${reader.webUrl}/octets` })).document.name).toBe(
      'Aurora #1',
    );
  });

  const name = 'Grün #1 100% 🏔 "x"';
  const json = JSON.stringify({ name });
  test.each([
    ['plain', `data:application/json,${json}`],
    ['plain with utf8', `data:application/json;utf8,${json}`],
    ['percent-encoded', `data:application/json;charset=utf-8,${encodeURIComponent(json)}`],
    ['base64', `data:application/json;base64,${Buffer.from(json).toString('base64')}`],
    ['base64 for addresses', `data:application/json;base64,${Buffer.from(json).toString('base64url')}`],
    ['untyped', `data:,${encodeURIComponent(json)}`],
    ['upper case', `DATA:Application/JSON;BASE64,${Buffer.from(json).toString('base64')}`],
    [
      'with a byte order mark',
      `data:application/json;base64,${Buffer.from(`\ufeff${json}`).toString('base64')}`,
    ],
  ])('is read from a data: address, %s', async (_how, dataAddress) => {
    const metadata = await reader.read({ tokenURI: () => dataAddress });
    expect(metadata.document.name).toBe(name);
    expect(metadata.metadataAddress.length).toBeLessThanOrEqual(64);
  });

  test('keeps percent signs in the strings of JSON that is not encoded', async () => {
    const image = 'https://x.example/a%20b%22.png';
    const metadata = await reader.read({
      tokenURI: () => `data:application/json,${JSON.stringify({ image })}`,
    });
    expect(metadata.document.image).toBe(image);
  });

  test('keeps an SVG with a script as text', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const inline = JSON.stringify({ image_data: svg, attributes: { Eyes: 'blue', Age: { value: 3 } } });
    const metadata = await reader.read({ tokenURI: () => `data:application/json,${inline}` });
    expect(metadata.document.image).toBe(svg);
    expect(metadata.document.attributes).toEqual([
      { traitType: 'Eyes', value: 'blue', displayType: null },
      { traitType: 'Age', value: '3', displayType: null },
    ]);
  });

  test('is bounded: long names are cut, images too long to keep are left to the raw document', async () => {
    const inline = JSON.stringify({
      name: 'n'.repeat(5_000),
      image: 'i'.repeat(100_000),
      attributes: Array.from({ length: 2_000 }, (_each, index) => ({ trait_type: 't', value: index })),
    });
    const metadata = await reader.read({ tokenURI: () => `data:application/json,${inline}` });
    expect(metadata.document.name).toHaveLength(1_000);
    expect(metadata.document.image).toBeNull();
    expect(metadata.document.attributes).toHaveLength(500);
    expect(metadata.document.raw).toBe(inline);
  });

  test('holds nothing that PostgreSQL cannot, and nothing from a prototype', async () => {
    const inline = String.raw`{"name":"a\u0000b\ud800","__proto__":{"description":"inherited"},"attributes":7}`;
    const metadata = await reader.read({ tokenURI: () => `data:application/json,${inline}` });
    expect(metadata.document).toEqual({
      name: 'ab\ufffd',
      description: null,
      image: null,
      attributes: [],
      raw: inline,
    });
  });
});
