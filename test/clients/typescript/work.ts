import { createInterface } from 'node:readline';

/** A line of work. */
interface Task {
  operation: string;
  path: [name: string, value: string][];
  query: object;
  body: never;
  field?: string;
  pageSize?: number;
}

/** What an operation is given; its types take of it what they have. */
export interface Given {
  path: Record<Name, string> & { network: 'fuji'; metric: never };
  query: { addresses: string; vertexHeight: number; pageSize?: number; pageToken?: string };
  body: never;
}
type Name =
  | 'address'
  | 'assetId'
  | 'blockId'
  | 'blockchainId'
  | 'chainId'
  | 'l1ValidationId'
  | 'messageId'
  | 'nodeId'
  | 'subnetId'
  | 'tokenId'
  | 'txHash'
  | 'vertexHash';

/** A page of a list. */
type Page = Promise<{ rows: unknown[]; token: string | undefined }>;

/** What a client reads: lists and objects by operation. */
interface Operations {
  lists: Record<string, (given: Given) => Page>;
  objects: Record<string, (given: Given) => Promise<unknown>>;
}

/** Asks for pages until there is no token, and counts their rows. */
async function run(
  { lists, objects }: Operations,
  { operation, path, query, body, field, pageSize }: Task,
): Promise<number> {
  const paging = pageSize === undefined ? {} : { pageSize };
  const given = { path: Object.fromEntries(path), query: { ...query, ...paging }, body } as unknown as Given;
  if (field === undefined) {
    await objects[operation]!(given);
    return 1;
  }
  for (let rows = 0; ;) {
    const page = await lists[operation]!(given);
    rows += page.rows.length;
    if (page.token === undefined) return rows;
    given.query.pageToken = page.token;
  }
}

/** Does each line of work, and prints how many rows it read. */
export async function work(operations: Operations): Promise<void> {
  for await (const line of createInterface(process.stdin))
    console.log(await run(operations, JSON.parse(line) as Task));
}
