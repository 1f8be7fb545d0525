import { examples } from '../../../sample/examples.js';

/** A row of any list. */
export type Row = Readonly<Record<string, any>>;

/** What the gateway holds, read page by page by one quiet client before anything hostile was sent. */
export interface Reading {
  /** Spent ones too, by chain. */
  utxos: Readonly<Record<Chain, readonly Row[]>>;
  vertices: readonly Row[];
  messages: readonly Row[];
  /** Of `examples.evmAddress`. */
  internals: readonly Row[];
  /** Values of each metric of `examples.subnetId`. */
  metrics: ReadonlyMap<string, readonly Row[]>;
  /** Paths that are not lists, and the whole reply to each. */
  replies: ReadonlyMap<string, unknown>;
}

export type Chain = 'p' | 'x' | 'c';

const internals = `/v1/chains/43113/addresses/${examples.evmAddress}/transactions:listInternals`;

/** Paths of lists without filters. */
export const listPaths = {
  utxos: (chain: Chain) => `/v1/networks/fuji/blockchains/${chain}-chain/utxos`,
  vertices: '/v1/networks/fuji/blockchains/x-chain/vertices',
  messages: '/v1/icm/messages',
  internals,
  metric: (metric: string) => `/v2/subnet/${examples.subnetId}/metrics/${metric}`,
};

const metricNames = ['perSubnetDailyFeesPaid', 'perSubnetCumulativeFeesPaid', 'perSubnetPayingValidators'];

/** Reads everything that right requests are compared with. */
export async function readAll(url: string): Promise<Reading> {
  const utxos = (chain: Chain) => walk(url, `${listPaths.utxos(chain)}?includeSpent=true`, 'utxos', 100);
  const [p, x, c] = [await utxos('p'), await utxos('x'), await utxos('c')];
  const metrics = new Map<string, Row[]>();
  for (const name of metricNames) metrics.set(name, await walk(url, listPaths.metric(name), 'results', 1000));
  return {
    utxos: { p, x, c },
    vertices: await walk(url, listPaths.vertices, 'vertices', 100),
    messages: await walk(url, listPaths.messages, 'messages', 100),
    internals: await walk(url, listPaths.internals, 'transactions', 100),
    metrics,
    replies: await readReplies(url, { p, x, c }),
  };
}

async function readReplies(url: string, utxos: Reading['utxos']): Promise<Map<string, unknown>> {
  const hashes = (['p', 'x', 'c'] as const).flatMap((chain) =>
    [
      ...new Set(
        utxos[chain]
          .filter((row) => row['createdOnChainId'] !== undefined)
          .map((row) => row['txHash'] as string),
      ),
    ]
      .slice(0, 40)
      .map((hash) => `/v1/networks/fuji/blockchains/${chain}-chain/transactions/${hash}`),
  );
  const paths = [
    ...hashes,
    `/v1/icm/messages/${examples.icmMessageId}`,
    '/v1/chains',
    '/v1/chains?network=fuji',
    '/v1/chains/43113',
  ];
  const replies = new Map<string, unknown>();
  for (const path of paths) {
    const reply = await fetch(url + path);
    // An output may be shown on a chain where its transaction is not.
    if (reply.status === 200) replies.set(path, await reply.json());
    else if (reply.status !== 404) throw new Error(`${path}: ${reply.status}`);
  }
  return replies;
}

/** Every row of a list. */
export async function walk(url: string, path: string, field: string, pageSize: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const page = await readPage(url, path, { pageSize, token });
    rows.push(...(page[field] as Row[]));
    token = page['nextPageToken'] as string | undefined;
  }
  return rows;
}

/** One page of a list. */
export async function readPage(
  url: string,
  path: string,
  { pageSize, token }: { pageSize: number; token: string },
): Promise<Row> {
  const separator = path.includes('?') ? '&' : '?';
  const reply = await fetch(`${url}${path}${separator}pageSize=${pageSize}&pageToken=${token}`);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Row;
}
