import { chainName, networks, primaryChains } from '../../src/avalanche/networks.js';
import { metricNames } from '../../src/resources/subnet-metric/metric.js';
import type { TestApp } from './app.js';
import { poolOf } from './connections.js';
import type { ImportDatabase } from './ingest.js';

type Gateway = Pick<TestApp, 'get' | 'storage'>;

/** The texts of all pages of a REST list, as they come. */
async function pagesOf(gateway: Gateway, path: string, query = ''): Promise<string[]> {
  const pages: string[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const { status, text, body } = await gateway.get(`${path}?pageSize=100&pageToken=${token}${query}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    pages.push(text);
    token = (body as { nextPageToken?: string }).nextPageToken;
  }
  return pages;
}

/**
 * All the REST replies of a gateway, saved like somebody who has only these: each page or object a line, a
 * file for each list.
 *
 * @returns paths, in the order in which they are to be imported
 */
export async function saveReplies(
  gateway: Gateway,
  { write }: Pick<ImportDatabase, 'write'>,
): Promise<string[]> {
  const column = async (sql: string) =>
    (await poolOf(gateway.storage).query<{ value: string }>(sql)).rows.map(({ value }) => value);
  const files: string[] = [];
  const save = (name: string, lines: readonly string[]) =>
    void files.push(write(`${name}.ndjson`, lines.map((line) => `${line}\n`).join('')));
  const chains = networks.flatMap((network) => primaryChains.map((chain) => ({ network, chain })));
  const pathOf = ({ network, chain }: (typeof chains)[number]) =>
    `/v1/networks/${network}/blockchains/${chainName(chain)}`;

  for (const chain of chains)
    save(
      `${chain.network}.${chainName(chain.chain)}.utxos`,
      await pagesOf(gateway, `${pathOf(chain)}/utxos`, '&includeSpent=true'),
    );
  for (const where of chains) {
    const { network, chain } = where;
    const hashes = await column(
      `SELECT tx_hash AS value FROM transaction WHERE network = '${network}' AND chain = '${chain}' ORDER BY tx_hash`,
    );
    const replies = [];
    for (const hash of hashes)
      replies.push((await gateway.get(`${pathOf(where)}/transactions/${hash}`)).text);
    save(`${network}.${chainName(chain)}.transactions`, replies);
  }
  for (const network of networks) {
    save(
      `${network}.x-chain.vertices`,
      await pagesOf(gateway, `${pathOf({ network, chain: 'x' })}/vertices`),
    );
    save(`${network}.icm.messages`, await pagesOf(gateway, '/v1/icm/messages', `&network=${network}`));
  }
  save('evm.chains', [(await gateway.get('/v1/chains')).text]);
  const parties = await column(
    `SELECT DISTINCT evm_chain_id || ' 0x' || encode(party, 'hex') AS value
     FROM internal_tx CROSS JOIN unnest(ARRAY[from_address, to_address]) party
     WHERE evm_chain_id IN (SELECT evm_chain_id FROM chain) ORDER BY 1`,
  );
  for (const [index, party] of parties.entries()) {
    const [chain = '', address = ''] = party.split(' ');
    const path = `/v1/chains/${chain}/addresses/${address}/transactions:listInternals`;
    save(`evm.${chain}.internal-transactions.${index}`, await pagesOf(gateway, path));
  }
  for (const subnet of await column(
    `SELECT DISTINCT network || ' ' || subnet_id AS value FROM subnet_metric ORDER BY 1`,
  )) {
    const [network = '', subnetId = ''] = subnet.split(' ');
    for (const metric of metricNames('SubnetMetric'))
      save(
        `${network}.subnet-metrics.${subnetId}.${metric}`,
        await pagesOf(gateway, `/v2/subnet/${subnetId}/metrics/${metric}`),
      );
  }
  return files;
}
