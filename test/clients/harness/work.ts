import { compositeBodyExample } from '../../../src/resources/composite-query/request-body.js';
import type { TestApp } from '../../harness/app.js';
import { walkComposite } from '../../harness/composite.js';
import { operations } from '../../harness/openapi.js';
import { restPaths } from '../../harness/rest-lists.js';
import { walkRest } from '../../harness/walk.js';

/**
 * What a client is asked to do: the name of an operation, for a list the size of its pages, and the values of
 * the path in their order; of a composite query its body. The client answers with how many rows it read.
 */
export interface Task {
  operation: string;
  words: string[];
  pageSize?: number;
  rows: number;
}

/** The operations that all clients here read. */
const read: ReadonlySet<string> = new Set([
  'compositeQuery',
  'getChain',
  'getIcmMessage',
  'getSubnetMetric',
  'getTransaction',
  'listChains',
  'listIcmMessages',
  'listInternalTransactions',
  'listUtxos',
  'listVertices',
  'reindexNft',
  'v1HealthCheck',
  'v1LiveCheck',
  'v2HealthCheck',
  'v2LiveCheck',
]);

/** These, as the document has them. */
export const readOperations = operations.filter(({ operation }) => read.has(operation.operationId));

/** A task as the line that the client reads. */
export const lineOf = ({ operation, pageSize, words }: Task): string =>
  [operation, ...(pageSize === undefined ? [] : [pageSize]), ...words].join(' ');

/** Every list of the sample that clients read to its end, and every transaction, message and chain of it. */
export async function workOf(gateway: TestApp): Promise<Task[]> {
  const { lists, objects } = await restPaths(gateway);
  const tasks: Task[] = [];
  const listed = new Map(lists.map(([path, field]) => [path.replace(/\?.*/, ''), field]));
  for (const [path, field] of [...listed].filter(([each]) => isRead(each))) {
    const query = path.endsWith('/utxos') ? '?includeSpent=true' : '';
    const { length } = await walkRest(gateway, path + query, field, 100);
    tasks.push({ ...taskOf(path, length), pageSize: pageSizeOf(length) });
  }
  for (const path of objects.filter((each) => each !== '/v1/chains' && !each.includes('?') && isRead(each)))
    tasks.push(taskOf(path, 1));
  const { body } = await gateway.get('/v1/chains');
  tasks.push(taskOf('/v1/chains', (body as { chains: object[] }).chains.length));
  for (const { path, operation } of readOperations)
    if (path.endsWith('-check')) tasks.push({ operation: operation.operationId, words: [], rows: 1 });
  const [found] = await walkComposite(gateway, { ...compositeBodyExample, pageSize: 100 });
  const rows = found?.totalCount ?? 0;
  const words = [JSON.stringify(compositeBodyExample)];
  tasks.push({ operation: 'compositeQuery', words, pageSize: pageSizeOf(rows), rows });
  return tasks;
}

/** So that a list has pages, if it has rows for them. */
const pageSizeOf = (rows: number) => Math.min(100, Math.ceil(rows / 3) || 1);

const isRead = (path: string) => read.has(taskOf(path.replace(/\?.*/, ''), 0).operation);

function taskOf(path: string, rows: number): Task {
  for (const { path: form, method, operation } of operations) {
    const words = new RegExp(`^${form.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
    if (words && method === 'get') return { operation: operation.operationId, words: words.slice(1), rows };
  }
  throw new Error(`the document has no path for ${path}`);
}
