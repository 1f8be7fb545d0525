import { account } from '../../../sample/evm-parties.js';
import { examples } from '../../../sample/examples.js';
import { compositeBodyExample } from '../../../src/resources/composite-query/request-body.js';
import type { TestApp } from '../../harness/app.js';
import { walkComposite } from '../../harness/composite.js';
import { operations } from '../../harness/openapi.js';
import { restPaths } from '../../harness/rest-lists.js';
import { allPages } from '../../harness/rest-pages.js';

/** What a client is asked to do. It answers with how many rows it read, of an object with 1. */
export interface Task {
  operation: string;
  /** The values in the path, in their order. */
  path: readonly (readonly [name: string, value: string])[];
  query: Readonly<Record<string, string | number | boolean>>;
  body?: unknown;
  /** Of a list: the member of a reply that has its rows. */
  field?: string;
  /** Of a list that has pages. */
  pageSize?: number;
  rows: number;
}

/** A task as the line that the client reads. */
export const lineOf = ({ rows: _, ...asked }: Task): string => JSON.stringify(asked);

/** Every list of the sample, to its end, and every object of it; what has a POST form once for each owner. */
export async function workOf(gateway: TestApp): Promise<Task[]> {
  const { lists, objects } = await restPaths(gateway);
  const tasks: Task[] = [];
  // One who has several of each.
  for (const [path, field] of [
    [`networks/fuji/rewards?addresses=${examples.busyAddress}`, 'historicalRewards'],
    [`networks/fuji/rewards:listPending?addresses=${examples.busyAddress}`, 'pendingRewards'],
    ['networks/fuji/validators/NodeID-KUnZzu5XRnJfoUReSQDscmBhpX2AcTd5K', 'validators'],
    [`chains/43113/nfts/collections/${examples.nftCollection}/tokens`, 'tokens'],
    [`chains/43113/addresses/${account(3).address}/balances:listErc20`, 'erc20TokenBalances'],
    [`chains/43113/addresses/${account(3).address}/balances:listErc721`, 'erc721TokenBalances'],
  ] as const)
    lists.push([`/v1/${path}`, field]);
  for (const [path, field] of lists.filter(([each]) => isPlain(each)))
    tasks.push(await listTask(gateway, taskOf(path), path, field));
  for (const path of objects.filter(isPlain)) {
    // Of an address something may not be there.
    if ((await gateway.get(path)).status === 200) tasks.push(taskOf(path));
  }
  const { body } = await gateway.get('/v1/chains');
  const chains = (body as { chains: object[] }).chains.length;
  tasks.push({ ...taskOf('/v1/chains'), field: 'chains', rows: chains });
  for (const { path } of operations) if (path.endsWith('-check')) tasks.push(taskOf(path));
  for (const task of tasks.slice()) tasks.push(...(await postTasks(gateway, task)));
  const [found] = await walkComposite(gateway, { ...compositeBodyExample, pageSize: 100 });
  const rows = found?.totalCount ?? 0;
  const composite = { ...taskOf('/v2/lookingGlass/compositeQuery', 'post'), body: compositeBodyExample };
  return [...tasks, { ...composite, field: 'addresses', pageSize: pageSizeOf(rows), rows }];
}

/** What says no more than it must: who is asked for, and where. */
const isPlain = (path: string) =>
  path !== '/v1/chains' &&
  (path.split('?')[1] ?? '').split('&').every((each) => /^$|^(addresses|vertexHeight)=/.test(each));

async function listTask(gateway: TestApp, task: Task, path: string, field: string): Promise<Task> {
  const query = Object.fromEntries(booleansOf(task.operation).map((name) => [name, true] as const));
  const all = Object.keys(query).map((name) => `${name}=true`);
  const { length } = await allPages(gateway, [path, ...all].join(path.includes('?') ? '&' : '?'), field);
  return { ...task, query: { ...task.query, ...query }, field, pageSize: pageSizeOf(length), rows: length };
}

/** The same by POST, whose addresses are in the body. */
async function postTasks(gateway: TestApp, { operation, path, query }: Task): Promise<Task[]> {
  const { addresses } = query;
  const [network, chain] = path.map(([, value]) => value);
  const list = `/v1/networks/${network}/blockchains/${chain}`;
  switch (operation) {
    case 'getLastActivity':
      return [{ ...taskOf(`${list}/lastActivityTimestampByAddresses`, 'post'), body: { addresses } }];
    case 'getBalances': {
      const task = { ...taskOf(`${list}/utxos`, 'post'), body: { addresses } };
      return [await listTask(gateway, task, `${list}/utxos?addresses=${addresses}`, 'utxos')];
    }
    default:
      return [];
  }
}

/** So that a list has pages, if it has rows for them. */
const pageSizeOf = (rows: number) => Math.min(100, Math.ceil(rows / 3) || 1);

const parametersOf = (operationId: string) =>
  operations.find(({ operation }) => operation.operationId === operationId)?.operation.parameters ?? [];
const typeOf = ({ schema }: { schema: object }) => (schema as { type?: string }).type;
const booleansOf = (operation: string) =>
  parametersOf(operation).flatMap((each) => (typeOf(each) === 'boolean' ? [each.name] : []));

function taskOf(address: string, wanted: 'get' | 'post' = 'get'): Task {
  const [path = '', query] = address.split('?');
  for (const { path: form, method, operation } of operations) {
    const values = new RegExp(`^${form.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1);
    if (!values || method !== wanted) continue;
    const names = [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const isWhole = (name: string) =>
      parametersOf(operation.operationId).some((each) => each.name === name && typeOf(each) === 'integer');
    const asked = [...new URLSearchParams(query)].map(
      ([name, value]) => [name, isWhole(name) ? Number(value) : value] as const,
    );
    return {
      operation: operation.operationId,
      path: names.map((name, index) => [name, values[index] ?? ''] as const),
      query: Object.fromEntries(asked),
      rows: 1,
    };
  }
  throw new Error(`the document has no path for ${address}`);
}
