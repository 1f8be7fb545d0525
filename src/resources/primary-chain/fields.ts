import { blockchainIds, networks, primaryChains } from '../../avalanche/networks.js';

/** SQL of the blockchain id of a chain of the primary network. @param network SQL @param chain SQL */
export function blockchainIdSql(network: string, chain: string): string {
  const cases = networks.flatMap((eachNetwork) =>
    primaryChains.map(
      (each) =>
        `WHEN ${network} = '${eachNetwork}' AND ${chain} = '${each}' THEN '${blockchainIds[eachNetwork][each]}'`,
    ),
  );
  return `CASE ${cases.join(' ')} END`;
}

/** SQL of its alias. @param chain SQL */
export function blockchainAlias(chain: string): string {
  return `${chain}::text || '-chain'`;
}
