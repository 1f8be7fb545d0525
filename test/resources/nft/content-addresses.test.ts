import { describe, expect, test } from 'vitest';
import { onGateway } from '../../../src/resources/nft/metadata/content-address.js';
import { MetadataError } from '../../../src/resources/nft/metadata/error.js';

const gateways = { ipfs: 'https://gateway.example/base', arweave: 'https://weave.example/' };
const none = { ipfs: undefined, arweave: undefined };
const cid = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';
const cid1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const arweaveId = 'V_U5OTZ1nx0vPCmFlEHZkVLoHyRmYcOmHZ7hYVn7bY4';

describe('an IPFS address', () => {
  test.each([
    ['ipfs://QmHash', '/ipfs/QmHash'],
    ['ipfs://QmHash/1.json', '/ipfs/QmHash/1.json'],
    ['ipfs://ipfs/QmHash/1', '/ipfs/QmHash/1'],
    ['IPFS://QmHash/a b#1?.json', '/ipfs/QmHash/a%20b%231%3F.json'],
    ['ipfs://QmHash/100%.json', '/ipfs/QmHash/100%25.json'],
    ['ipfs://QmHash/a%20b', '/ipfs/QmHash/a%20b'],
    ['ipns://docs.example/x', '/ipns/docs.example/x'],
    ['ipfs://ipns/docs.example/x', '/ipns/docs.example/x'],
    ['ipfs:/QmHash/1', '/ipfs/QmHash/1'],
    ['ipfs:QmHash', '/ipfs/QmHash'],
    ['dweb:/ipfs/QmHash/1', '/ipfs/QmHash/1'],
    [cid, `/ipfs/${cid}`],
    [`${cid}/1.json`, `/ipfs/${cid}/1.json`],
    [`${cid1}/1.json`, `/ipfs/${cid1}/1.json`],
    [`/ipfs/${cid}/1.json`, `/ipfs/${cid}/1.json`],
    [`ipfs/${cid}/1.json`, `/ipfs/${cid}/1.json`],
    [`https://ipfs.io/ipfs/${cid}`, `/ipfs/${cid}`],
    [`https://gateway.example:8080/ipfs/${cid1}/a%20b.json?token=x`, `/ipfs/${cid1}/a%20b.json`],
    [`https://${cid1}.ipfs.dweb.example/1.json`, `/ipfs/${cid1}/1.json`],
    [
      `https://ipfs.io/ipns/k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8/1`,
      '/ipns/k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8/1',
    ],
  ])('%s is served by the gateway under %s', (address, path) => {
    expect(onGateway(address, gateways)).toEqual({ network: 'ipfs', url: gateways.ipfs + path });
  });

  test.each([
    'ipfs://',
    'ipfs:///etc',
    'ipfs://../admin',
    'ipfs://QmHash/../../admin',
    'ipfs://QmHash/%2e%2e/%2E%2E/admin',
    'ipfs://QmHash/..%2f..%2fadmin',
    'ipfs://QmHash/..%5c..%5cadmin',
    'ipfs://QmHash/..\\..\\admin',
    'ipfs://QmHash/./x',
    'ipfs://user@host/x',
    'ipfs://host:80/x',
    'ipfs://QmHash/%ff',
    `/ipfs/${cid}/../../admin`,
    '/ipfs/../admin',
    `${cid}/%2e%2e/admin`,
    `https://ipfs.io/ipfs/${cid}/../../admin`,
    `https://ipfs.io/ipfs/${cid}/%2e%2e%2fadmin`,
    'ar://../admin',
    `ar://${arweaveId}/../admin`,
    `https://arweave.net/${arweaveId}/..%2fadmin`,
  ])('%s does not leave its content on the gateway', (address) => {
    expect(() => onGateway(address, gateways)).toThrow(MetadataError);
  });

  test('without a gateway names the setting', () => {
    for (const address of ['ipfs://QmHash', `/ipfs/${cid}`, cid]) {
      expect(() => onGateway(address, none)).toThrow(/IPFS_GATEWAY/);
    }
  });
});

describe('an Arweave address', () => {
  test.each([
    [`ar://${arweaveId}`, `/${arweaveId}`],
    [`AR://${arweaveId}/folder/1.json`, `/${arweaveId}/folder/1.json`],
    [`https://arweave.net/${arweaveId}/1.json`, `/${arweaveId}/1.json`],
  ])('%s is served by the gateway under %s', (address, path) => {
    expect(onGateway(address, gateways)).toEqual({ network: 'arweave', url: `https://weave.example${path}` });
  });

  test('without a gateway names the setting', () => {
    expect(() => onGateway(`ar://${arweaveId}`, none)).toThrow(/ARWEAVE_GATEWAY/);
  });
});

describe('a web address', () => {
  test.each([
    'https://api.example/ipfs/1.json',
    'https://api.example/1.json',
    `https://api.example/1.json?source=/ipfs/${cid}`,
    'https://arweave.net/1.json',
    'https://ipfs.io/',
    '1.json',
  ])('%s is no content of IPFS or Arweave', (address) => {
    expect(onGateway(address, gateways)).toBeNull();
  });

  test('of a public gateway is fetched as it stands where the operator has none', () => {
    expect(onGateway(`https://ipfs.io/ipfs/${cid}`, none)).toBeNull();
    expect(onGateway(`https://arweave.net/${arweaveId}`, none)).toBeNull();
  });
});
