/** What a client is asked to do, a line of words each; it answers each with a line: how many rows it read. */
export interface Work {
  lines: string[];
  rows: number[];
}

type Page = Record<string, unknown> & { nextPageToken?: string };

const LISTS = [
  ...['p-chain', 'x-chain', 'c-chain'].map((chain) => ['utxos', 'fuji', chain]),
  ['vertices', 'fuji', 'x-chain'],
  ['messages'],
];

/** The work of a whole sample: every list to its end, and every transaction, message and chain. */
export async function workOf(base: string, internals: readonly string[][], metric: string): Promise<Work> {
  const work: Work = { lines: [], rows: [] };
  const add = (words: readonly string[], rows: number) => {
    work.lines.push(words.join(' '));
    work.rows.push(rows);
  };
  const hashes = new Set<string>();
  for (const words of LISTS) {
    const rows = await walk(base, words);
    add(words, rows.length);
    for (const row of rows) {
      if (words[0] === 'utxos') hashes.add(`${chainOf(row)} ${String(row['txHash'])}`);
      if (words[0] === 'messages') add(['message', String(row['messageId'])], 1);
    }
  }
  for (const each of hashes) {
    const [chain, hash] = each.split(' ') as [string, string];
    if ((await fetch(`${base}/v1/networks/fuji/blockchains/${chain}/transactions/${hash}`)).ok)
      add(['transaction', 'fuji', chain, hash], 1);
  }
  const { chains } = await json<{ chains: { chainId: string }[] }>(`${base}/v1/chains`);
  add(['chains'], chains.length);
  for (const { chainId } of chains) add(['chain', chainId], 1);
  for (const [chainId, address] of internals) {
    const words = ['internals', String(chainId), String(address)];
    add(words, (await walk(base, words)).length);
  }
  const words = ['metric', metric, 'perSubnetDailyFeesPaid'];
  add(words, (await walk(base, words)).length);
  add(['health'], 4);
  return work;
}

function chainOf({ createdOnChainId }: Record<string, unknown>): string {
  const id = String(createdOnChainId);
  return id.startsWith('1111') ? 'p-chain' : id.startsWith('2JVS') ? 'x-chain' : 'c-chain';
}

/** Every row of a list. */
async function walk(base: string, [kind, ...words]: readonly string[]): Promise<Record<string, unknown>[]> {
  const path = {
    utxos: `/v1/networks/${words[0]}/blockchains/${words[1]}/utxos?includeSpent=true&pageSize=100`,
    vertices: `/v1/networks/${words[0]}/blockchains/${words[1]}/vertices?pageSize=100`,
    messages: '/v1/icm/messages?pageSize=100',
    internals: `/v1/chains/${words[0]}/addresses/${words[1]}/transactions:listInternals?pageSize=100`,
    metric: `/v2/subnet/${words[0]}/metrics/${words[1]}?pageSize=100`,
  }[kind as 'utxos'];
  const rows: Record<string, unknown>[] = [];
  let token: string | undefined;
  do {
    const page: Page = await json<Page>(`${base}${path}${token ? `&pageToken=${token}` : ''}`);
    rows.push(...(Object.values(page).find(Array.isArray) as Record<string, unknown>[]));
    token = page.nextPageToken;
  } while (token);
  return rows;
}

async function json<T>(url: string): Promise<T> {
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}
