import { blockchainIds, nativeAssetIds } from '../../avalanche/networks.js';
import { networkTable } from '../../state/following.js';

const own = networkTable.as('own');

/*
 * Texts of statements are made once, but the identity of fuji may become another while a gateway runs
 * (identityOf). So they read it: a sub-select that names nothing of a row is run at most once in a statement,
 * and only if a row of fuji asks for it. Each costs a statement some microseconds even if it is not run, so
 * one reads both ids.
 */
const ownOfFuji = (columns: string) => `(SELECT ${columns} FROM ${own.from} WHERE ${own.network} = 'fuji')`;

/** SQL of the blockchain id of a chain of the primary network. @param network SQL @param chain SQL */
export function blockchainIdSql(network: string, chain: string): string {
  const { mainnet, fuji } = blockchainIds;
  const ofFuji = `coalesce(${ownOfFuji(`ARRAY[${own.xChainId}, ${own.cChainId}]`)}, ARRAY['${fuji.x}', '${fuji.c}'])`;
  return `CASE WHEN ${chain} = 'p' THEN '${mainnet.p}'
    WHEN ${network} = 'mainnet' THEN CASE ${chain} WHEN 'x' THEN '${mainnet.x}' WHEN 'c' THEN '${mainnet.c}' END
    ELSE (${ofFuji})[CASE ${chain} WHEN 'x' THEN 1 WHEN 'c' THEN 2 END] END`;
}

/** SQL of the asset id of AVAX. @param network SQL */
export function nativeAssetIdSql(network: string): string {
  const ofFuji = `coalesce(${ownOfFuji(own.avaxAssetId)}, '${nativeAssetIds.fuji}')`;
  return `CASE ${network} WHEN 'mainnet' THEN '${nativeAssetIds.mainnet}' ELSE ${ofFuji} END`;
}

/** SQL of its alias. @param chain SQL */
export function blockchainAlias(chain: string): string {
  return `${chain}::text || '-chain'`;
}
