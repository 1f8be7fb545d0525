import { describe, expect, test } from 'vitest';
import { MetadataError } from '../../../src/resources/nft/metadata/error.js';
import { ipfsGatewayUrl } from '../../../src/resources/nft/metadata/ipfs.js';

describe('an IPFS address', () => {
  const gateway = 'https://gateway.example/base';

  test.each([
    ['ipfs://QmHash', '/ipfs/QmHash'],
    ['ipfs://QmHash/1.json', '/ipfs/QmHash/1.json'],
    ['ipfs://ipfs/QmHash/1', '/ipfs/QmHash/1'],
    ['IPFS://QmHash/a b#1?.json', '/ipfs/QmHash/a%20b%231%3F.json'],
    ['ipfs://QmHash/100%.json', '/ipfs/QmHash/100%25.json'],
    ['ipfs://QmHash/a%20b', '/ipfs/QmHash/a%20b'],
    ['ipns://docs.example/x', '/ipns/docs.example/x'],
  ])('%s is served by the gateway under %s', (address, path) => {
    expect(ipfsGatewayUrl(address, gateway)).toBe(gateway + path);
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
  ])('%s does not leave its content on the gateway', (address) => {
    expect(() => ipfsGatewayUrl(address, gateway)).toThrow(MetadataError);
  });
});
