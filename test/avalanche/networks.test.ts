import { expect, test } from 'vitest';
import { isId } from '../../src/avalanche/cb58.js';
import { blockchainIds, nativeAssetIds, networks } from '../../src/avalanche/networks.js';

test('the ids of the public networks have right checksums', () => {
  const ids = networks.flatMap((network) => [
    ...Object.values(blockchainIds[network]),
    nativeAssetIds[network],
  ]);
  expect(ids).toHaveLength(8);
  expect(ids.filter((id) => !isId(id))).toEqual([]);
});
