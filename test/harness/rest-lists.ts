import { compositeBodyExample } from '../../src/resources/composite-query/request-body.js';
import { routes } from '../../src/resources.js';
import type { TestApp } from './app.js';
import { walkComposite } from './composite.js';
import { poolOf } from './connections.js';
import { walkRest } from './walk.js';

type Paths = Awaited<ReturnType<typeof restPaths>>;

/** Every REST list, with the field of its rows, and every object that a gateway has. */
export async function restPaths({ storage }: Pick<TestApp, 'storage'>) {
  const column = async (sql: string) =>
    (await poolOf(storage).query<{ value: string }>(sql)).rows.map(({ value }) => value);
  const lists: [path: string, field: string][] = [];
  for (const network of ['mainnet', 'fuji']) {
    const of = `/v1/networks/${network}`;
    for (const chain of ['p-chain', 'x-chain', 'c-chain']) {
      for (const order of ['timestamp', 'amount'])
        lists.push([`${of}/blockchains/${chain}/utxos?includeSpent=true&sortBy=${order}`, 'utxos']);
      lists.push([`${of}/blockchains/${chain}/utxos`, 'utxos']);
    }
    const owners = await column(
      `SELECT address AS value FROM address WHERE network = '${network}' AND address <> '' ORDER BY address LIMIT 5`,
    );
    for (const owner of owners)
      for (const chain of ['p-chain', 'x-chain', 'c-chain'])
        lists.push([`${of}/blockchains/${chain}/utxos?includeSpent=true&addresses=${owner}`, 'utxos']);
    lists.push([`/v1/icm/messages?network=${network}`, 'messages']);
    lists.push([`${of}/blockchains/x-chain/vertices?`, 'vertices']);
  }
  const senders = await column(
    `SELECT DISTINCT evm_chain_id || '/addresses/0x' || encode(from_address, 'hex') AS value FROM internal_tx
     WHERE evm_chain_id IN (SELECT evm_chain_id FROM chain) ORDER BY 1 LIMIT 10`,
  );
  for (const sender of senders)
    lists.push([`/v1/chains/${sender}/transactions:listInternals`, 'transactions']);
  const metrics = await column(
    `SELECT DISTINCT subnet_id || '/metrics/' || unnest(ARRAY['perSubnetDailyFeesPaid', 'perSubnetPayingValidators',
       'perSubnetCumulativeFeesPaid']) AS value FROM subnet_metric ORDER BY 1`,
  );
  for (const metric of metrics) lists.push([`/v2/subnet/${metric}`, 'results']);
  const objects = await column(
    `SELECT '/v1/networks/' || network || '/blockchains/' || chain || '-chain/transactions/' || tx_hash AS value
       FROM transaction
     UNION ALL SELECT '/v1/icm/messages/' || encode(message_id, 'hex') FROM icm_message
     UNION ALL SELECT '/v1/chains/' || evm_chain_id FROM chain UNION ALL SELECT '/v1/chains' ORDER BY 1`,
  );
  return { lists, objects };
}

/**
 * The same with a fifth of the transactions, of which there are hundreds of one kind.
 *
 * @param stays those that must be read too
 */
export function withFewerTransactions({ lists, objects }: Paths, stays = (_path: string) => false): Paths {
  const isRead = (path: string, place: number) =>
    !path.includes('/transactions/') || place % 5 === 0 || stays(path);
  return { lists, objects: objects.filter(isRead) };
}

/** The GET routes without any of these paths. */
export function unreadOf({ lists, objects }: Paths): string[] {
  const read = [...lists.map(([path]) => path), ...objects].map((path) => path.replace(/\?.*/, ''));
  return routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path)
    .filter((path) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      return !read.some((each) => pattern.test(each));
    });
}

/** What a gateway replies to all of them. */
export async function readLists(
  gateway: Pick<TestApp, 'get'>,
  { lists, objects }: Paths,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [path, field] of lists)
    found.set(path, JSON.stringify(await walkRest(gateway, path, field, 100)));
  for (const path of objects) {
    const { status, text } = await gateway.get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    found.set(path, text);
  }
  return found;
}

/**
 * The result of a composite query over the sample: the addresses as a set, because their order depends on the
 * installation.
 */
export async function compositeSet(gateway: Pick<TestApp, 'post'>) {
  const pages = await walkComposite(gateway, { ...compositeBodyExample, pageSize: 7 });
  const { totalCount, subQueryCounts } = pages[0] ?? {};
  return { totalCount, subQueryCounts, addresses: pages.flatMap(({ addresses }) => addresses).sort() };
}
