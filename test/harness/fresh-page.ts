import type { TestApp } from './app.js';
import { importRows } from './import-rows.js';
import { utxoRow } from './ledger-rows.js';

/** The list that fresh pages are of. */
export const freshList = '/v1/networks/fuji/blockchains/p-chain/utxos';

const made = new WeakMap<TestApp['storage'], number>();

/** Adds outputs that sort before all others, and returns the path of the page after the first of them. */
export async function freshPage(primary: TestApp, name: string): Promise<string> {
  const pages = (made.get(primary.storage) ?? 0) + 1;
  made.set(primary.storage, pages);
  const rows = [1, 2].map((index) => {
    const createdTimestamp = 2_000_000_000 + 10 * pages + index;
    return utxoRow(`${name} ${index}`, { createdTimestamp, blockTimestamp: createdTimestamp }, 'fuji');
  });
  await importRows(primary.storage, 'fuji.p-chain.utxos', rows);
  const { body } = await primary.get(`${freshList}?pageSize=1`);
  return `${freshList}?pageSize=1&pageToken=${(body as { nextPageToken: string }).nextPageToken}`;
}

/** The ids of the outputs of a page; undefined for a refusal. */
export async function outputsAt(app: TestApp, path: string): Promise<string[] | undefined> {
  const { body } = await app.get(path);
  return (body as { utxos?: { utxoId: string }[] }).utxos?.map(({ utxoId }) => utxoId);
}
