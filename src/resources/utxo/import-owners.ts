import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { Batch } from '../../storage/session.js';
import { firstOfNetwork, type FirstRows } from '../../write/feed.js';
import { countedAmount } from './amount.js';
import { isSpent } from './import-merge.js';
import type { UtxoRecord } from './import-row.js';

/** An output, with its row id and that of its asset. */
export interface StoredUtxo {
  /** Row id. */
  id: string;
  network: Network;
  assetRowId: string;
  record: UtxoRecord;
}

/** The same with what derived tables are computed from. */
export interface OwnedUtxo extends StoredUtxo {
  /** Row ids of the addresses that own it. */
  owners: readonly string[];
  /** Row id of the empty address, which means "every output of the network": see the model Address. */
  everybody: string;
  /** The chains whose lists show it, each once. */
  chains: readonly PrimaryChain[];
  /** What it adds to sums of its asset. */
  counted: bigint;
  isSpent: boolean;
}

/**
 * An output with its owners.
 *
 * @throws Error when an address has no row id: an internal error
 */
export function ownedUtxo(
  { id, network, assetRowId, record }: StoredUtxo,
  addressIds: ReadonlyMap<string, string>,
): OwnedUtxo {
  const { created_on: created, consumed_on: consumed } = record;
  const idOf = (address: string) => {
    const found = addressIds.get(address);
    if (found === undefined) throw new Error(`no row of address ${address}`);
    return found;
  };
  // Member by member: to spread an output took 4 % of an import's processor time in Node.
  return {
    id,
    network,
    assetRowId,
    record,
    owners: ownersOf(record).map(idOf),
    everybody: idOf(''),
    chains: created === consumed ? [created] : [created, consumed],
    counted: countedAmount(record),
    isSpent: isSpent(record),
  };
}

/** The addresses that own an output, each once. */
export function ownersOf({ addresses }: UtxoRecord): readonly string[] {
  const text = addresses.slice(1, -1);
  // Nearly every output has one.
  if (!text.includes(',')) return text === '' ? [] : [text];
  return [...new Set(text.split(','))];
}

/**
 * Stores the addresses under which outputs are listed.
 *
 * @returns row ids by address
 */
export async function writeAddresses(
  client: Batch,
  network: Network,
  records: Iterable<UtxoRecord>,
): Promise<Map<string, string>> {
  const wanted = new Set<string>();
  for (const record of records) for (const owner of ['', ...ownersOf(record)]) wanted.add(owner);
  if (wanted.size === 0) return new Map();
  const find = {
    text: 'SELECT address, id::text FROM address WHERE network = $1 AND address = ANY($2)',
    rowMode: 'array',
  } as const;
  const { rows } = await client.query<[string, string]>({ ...find, values: [network, [...wanted]] });
  const ids = new Map(rows);
  const missing = [...wanted].filter((address) => !ids.has(address));
  if (missing.length === 0) return ids;
  const added = await client.query<[string, string]>({
    text: 'INSERT INTO address (network, address) SELECT $1, unnest($2::text[]) RETURNING address, id::text',
    values: [network, missing],
    rowMode: 'array',
  });
  for (const [address, id] of added.rows) ids.set(address, id);
  return ids;
}

/** What the feed has of outputs: those that are new, and those that are spent from now on. */
export function firstOutputs(
  network: Network,
  changes: readonly { before: StoredUtxo | null; after: StoredUtxo }[],
): FirstRows[] {
  const idsOf = (some: typeof changes) => some.map(({ after }) => after.record.utxo_id);
  const added = changes.filter(({ before }) => before === null);
  const spent = changes.filter(
    ({ before, after }) => isSpent(after.record) && !(before && isSpent(before.record)),
  );
  return [firstOfNetwork('utxo', network, idsOf(added)), firstOfNetwork('spent_utxo', network, idsOf(spent))];
}
