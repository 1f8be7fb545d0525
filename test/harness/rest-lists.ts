import { compositeBodyExample } from '../../src/resources/composite-query/request-body.js';
import { AppError } from '../../src/errors.js';
import { routes } from '../../src/resources.js';
import { stakingMetrics } from '../../src/resources/network-stats/fields.js';
import { metricNames, type MetricType } from '../../src/resources/subnet-metric/metric.js';
import type { TestApp } from './app.js';
import { walkComposite } from './composite.js';
import { poolOf } from './connections.js';
import { walkRest } from './walk.js';

/** SQL of the names of metrics. */
const anyOf = (metrics: MetricType | readonly string[]) => {
  const names = typeof metrics === 'string' ? metricNames(metrics) : metrics;
  return `unnest('{${names.join(',')}}'::text[]) metric`;
};

type Paths = Awaited<ReturnType<typeof restPaths>>;

/**
 * What the parameters of a path are called, and SQL of their values as they are stored together. A GET route
 * whose path has just these is read with all of them, as far as its own parameters allow them.
 */
const stored: readonly [names: string, sql: string][] = [
  ['', `SELECT`],
  [
    'network blockchainId',
    `SELECT network, chain || '-chain' AS "blockchainId"
       FROM unnest(enum_range(NULL::network)) network, unnest(enum_range(NULL::primary_chain)) chain`,
  ],
  [
    'network blockchainId txHash',
    `SELECT network, chain || '-chain' AS "blockchainId", tx_hash AS "txHash" FROM transaction ORDER BY 1, 2, 3`,
  ],
  ['network', `SELECT unnest(enum_range(NULL::network)) AS network`],
  [
    'address',
    `SELECT DISTINCT '0x' || encode(from_address, 'hex') AS address FROM icm_message ORDER BY 1 LIMIT 5`,
  ],
  [
    'chainId address tokenId',
    `SELECT evm_chain_id::text AS "chainId", '0x' || encode(address, 'hex') AS address, token_id::text AS "tokenId"
     FROM nft_token WHERE owner IS NOT NULL ORDER BY 1, 2, token_id LIMIT 10`,
  ],
  // What only its own path calls so: a blockchain that a transaction created.
  [
    '/v1/networks/{network}/blockchains/{blockchainId}',
    `SELECT network, tx_hash AS "blockchainId" FROM transaction WHERE tx_type = 'CreateChainTx' ORDER BY 1, 2`,
  ],
  [
    '/v1/networks/{network}/blockchains/{blockchainId}/vertices:listByHeight',
    `SELECT DISTINCT network, 'x-chain' AS "blockchainId", height::text AS "vertexHeight" FROM vertex ORDER BY 1, 3 LIMIT 6`,
  ],
  [
    'network blockchainId blockId',
    `SELECT network, chain || '-chain' AS "blockchainId", number::text AS "blockId" FROM block ORDER BY hash LIMIT 20`,
  ],
  [
    'network blockchainId nodeId',
    `SELECT DISTINCT network, chain || '-chain' AS "blockchainId", proposer_node_id AS "nodeId" FROM block
     WHERE proposer_node_id IS NOT NULL ORDER BY 1, 2, 3 LIMIT 6`,
  ],
  [
    'network blockchainId vertexHash',
    `SELECT network, 'x-chain' AS "blockchainId", vertex_hash AS "vertexHash" FROM vertex ORDER BY 1, 3 LIMIT 20`,
  ],
  [
    'network blockchainId assetId',
    `SELECT network, 'x-chain' AS "blockchainId", asset_id AS "assetId" FROM asset ORDER BY 1, 3 LIMIT 6`,
  ],
  [
    'network subnetId',
    `SELECT network, tx_hash AS "subnetId" FROM transaction WHERE tx_type = 'CreateSubnetTx' ORDER BY 1, 2`,
  ],
  ['network nodeId', `SELECT network, node_id AS "nodeId" FROM validator ORDER BY 1, 2 LIMIT 6`],
  ['messageId', `SELECT encode(message_id, 'hex') AS "messageId" FROM icm_message ORDER BY 1`],
  ['chainId', `SELECT evm_chain_id::text AS "chainId" FROM chain ORDER BY 1`],
  [
    'chainId address',
    `SELECT DISTINCT evm_chain_id::text AS "chainId", '0x' || encode(from_address, 'hex') AS address FROM internal_tx
     WHERE evm_chain_id IN (SELECT evm_chain_id FROM chain) ORDER BY 1, 2 LIMIT 10`,
  ],
  [
    'subnetId metric',
    `SELECT DISTINCT subnet_id AS "subnetId", metric FROM subnet_metric, ${anyOf('SubnetMetric')} ORDER BY 1, 2`,
  ],
  ['metric', `SELECT metric FROM ${anyOf('L1Metric')}`],
  [
    'network metric',
    `SELECT network, metric FROM unnest(enum_range(NULL::network)) network, ${anyOf(stakingMetrics)}`,
  ],
  [
    'nodeId metric',
    `SELECT node_id AS "nodeId", metric FROM (SELECT DISTINCT node_id FROM follow_l1_validator ORDER BY 1 LIMIT 3) v, ${anyOf('NodeMetric')}`,
  ],
  [
    'l1ValidationId metric',
    `SELECT validation_id AS "l1ValidationId", metric
     FROM (SELECT validation_id FROM follow_l1_validator ORDER BY 1 LIMIT 3) v, ${anyOf('ValidationMetric')}`,
  ],
];

/** Owners, by whom lists of outputs are narrowed. */
const owners = `SELECT network, address AS addresses FROM (SELECT network, address, row_number() OVER (PARTITION BY network
  ORDER BY address) AS place FROM address WHERE address <> '') numbered WHERE place <= 5 ORDER BY 1, 2`;

type Values = Readonly<Record<string, string>>;

/** The paths that everybody can read: webhooks belong to an API key. */
const readRoutes = routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/v1/webhooks'));

/** Every REST list, with the field of its rows, and every object that a gateway has, of all GET routes. */
export async function restPaths({ storage }: Pick<TestApp, 'storage'>) {
  const rowsOf = async (sql: string) => (await poolOf(storage).query<Values>(sql)).rows;
  const ownersOf = await rowsOf(owners);
  const lists: [path: string, field: string][] = [];
  const objects: string[] = [];
  for (const route of readRoutes) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join(' ');
    const [, sql] =
      stored.find(([each]) => each === route.path) ?? stored.find(([each]) => each === names) ?? [];
    const all = sql === undefined ? [] : await rowsOf(sql);
    for (const values of all.filter((each) => isAllowed(route, each))) {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
      const field = listFieldOf(route);
      if (field === null) objects.push(...queriesOf(route, values, ownersOf).map((query) => path + query));
      else for (const query of queriesOf(route, values, ownersOf)) lists.push([path + query, field]);
    }
  }
  return { lists, objects };
}

type ListRoute = (typeof routes)[number];

function isAllowed({ parameters }: ListRoute, values: Values): boolean {
  try {
    const earlier: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values))
      earlier[name] = parameters[name]?.read(name, value, earlier);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The field of its rows; null for an object. */
function listFieldOf({ path, parameters, response }: ListRoute): string | null {
  if (!('pageToken' in parameters)) return null;
  const [field] = Object.entries(response.example ?? {}).find(([, value]) => Array.isArray(value)) ?? [];
  if (field === undefined) throw new Error(`the example of ${path} has no rows`);
  return field;
}

/** Whether some addresses have to be given. */
const needsOwner = ({ addresses, nodeIds }: ListRoute['parameters']) =>
  addresses !== undefined && (!addresses.optional || nodeIds !== undefined);

/** A list as it is, and with each value of its closed sets and each owner, all of its booleans being true. */
function queriesOf({ path, parameters }: ListRoute, values: Values, ownersOf: readonly Values[]): string[] {
  const given = Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`));
  const required = given.flatMap(([name]) => (name in values ? [`${name}=${values[name]}`] : []));
  const wide = given.filter(([, { schema }]) => schema['type'] === 'boolean').map(([name]) => `${name}=true`);
  const choices = given.flatMap(([name, { schema }]) =>
    ((schema['enum'] ?? []) as string[]).map((choice) => `${name}=${choice}`),
  );
  const owned = ownersOf
    .filter(({ network }) => 'addresses' in parameters && network === values['network'])
    .map(({ addresses }) => `addresses=${addresses}`);
  const all = needsOwner(parameters)
    ? owned.map((each) => [each])
    : [[], ...[...choices, ...owned].map((each) => [...wide, each])];
  return all
    .map((query) => [...required, ...query])
    .map((query) => (query.length > 0 ? `?${query.join('&')}` : ''));
}

/**
 * The same with a fifth of the transactions, of which there are hundreds of one kind.
 *
 * @param stays those that must be read too
 */
export function withFewerTransactions({ lists, objects }: Paths, stays = (_path: string) => false): Paths {
  const isRead = (path: string, index: number) =>
    !path.includes('/transactions/') || index % 5 === 0 || stays(path);
  return { lists, objects: objects.filter(isRead) };
}

/** The GET routes without any of these paths. */
export function unreadOf({ lists, objects }: Paths): string[] {
  const read = [...lists.map(([path]) => path), ...objects].map((path) => path.replace(/\?.*/, ''));
  return readRoutes
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
    // Of an address something may not be there: its last activity on a chain, the coin of a chain.
    if (status !== 200 && status !== 404) throw new Error(`${path}: ${status} ${text}`);
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
