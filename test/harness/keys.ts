import type { NewApiKey } from '../../src/access/key-store.js';
import type { TestApp } from './app.js';

/** Makes a key for `gateway`. */
export function makeKey(
  { services }: Pick<TestApp, 'services'>,
  plan: string,
  more: Partial<NewApiKey> = {},
) {
  return services.accessControl.keys.create({ name: 'test', plan, rights: null, expiresAt: null, ...more });
}

/** A list that is there on any database, empty or not, and costs one request. */
export const listPath = '/v1/networks/fuji/blockchains/p-chain/utxos';
/** The same as a GraphQL operation. */
export const listQuery = '{ utxos(network: fuji, blockchainId: "p-chain") { nodes { utxoId } } }';
