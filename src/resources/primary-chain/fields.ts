import { primaryChains, blockchainIds, nativeAssetIds, type Network } from '../../avalanche/networks.js';

/*
 * Texts of statements are made once, but the identity of fuji may become another while a gateway runs (identityOf). So
 * they read it: a sub-select that names nothing of a row is run once a statement, and only if a row of fuji asks for it.
 */
const ownOfFuji = (column: string, otherwise: string) =>
  `coalesce((SELECT own.${column} FROM follow_network own WHERE own.network = 'fuji'), '${otherwise}')`;

/** SQL of the blockchain id of a chain of the primary network. @param network SQL @param chain SQL */
export function blockchainIdSql(network: string, chain: string): string {
  const cases = (of: Network, idOf: (chain: 'x' | 'c') => string) =>
    primaryChains.map(
      (each) =>
        `WHEN ${network} = '${of}' AND ${chain} = '${each}' THEN ${each === 'p' ? `'${blockchainIds[of].p}'` : idOf(each)}`,
    );
  return `CASE ${[
    ...cases('mainnet', (each) => `'${blockchainIds.mainnet[each]}'`),
    ...cases('fuji', (each) => ownOfFuji(`${each}_chain_id`, blockchainIds.fuji[each])),
  ].join(' ')} END`;
}

/** SQL of the asset id of AVAX. @param network SQL */
export function nativeAssetIdSql(network: string): string {
  return `CASE ${network} WHEN 'mainnet' THEN '${nativeAssetIds.mainnet}' ELSE ${ownOfFuji('avax_asset_id', nativeAssetIds.fuji)} END`;
}

/** SQL of its alias. @param chain SQL */
export function blockchainAlias(chain: string): string {
  return `${chain}::text || '-chain'`;
}
