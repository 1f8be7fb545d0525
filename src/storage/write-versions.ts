import { hash } from 'node:crypto';
import type { Network } from '../avalanche/networks.js';
import type { Reader } from './reader.js';
import type { Connection } from './session.js';
import { statement } from './statement.js';

/*
 * Versions of what is written, by scope. Each write transaction gives another version to the scopes that it
 * may change, so that whoever read the versions before the data knows later, from the versions alone, that
 * the data are the same. Versions are only compared, so they are random: after a failover that lost the last
 * writes, a counter would come to the same numbers with other data.
 */

/** Addresses of a network share so many versions. */
const BUCKETS = 4096;
/** Beyond so many the outputs of the whole network get one: a batch of an import names most of them. */
const MOST_BUCKETS = 256;

/** The scope of all that is written under a lock: of a network, of an EVM chain, or of neither. */
export const writesOf = (lock: string | null): string => lock ?? '*';

/** The scope of all outputs of a network, with what is derived from outputs alone. */
export const outputsOf = (network: Network): string => `${network} outputs`;

/** The scope of the outputs of an address, in its form of `utxo.addresses`. */
export const outputsOfAddress = (network: Network, address: string): string =>
  `${network} outputs ${parseInt(hash('md5', address).slice(0, 8), 16) % BUCKETS}`;

/** Statements that give scopes other versions; scopes are ours, and need no quoting. */
export function nextVersions(scopes: readonly string[]): string[] {
  if (scopes.length === 0) return [];
  // Always in the same order, so that two writers never wait for each other.
  const rows = [...new Set(scopes)].sort().map((scope) => `('${scope}', gen_random_uuid())`);
  return [
    `INSERT INTO write_version (scope, version) VALUES ${rows.join(', ')}
     ON CONFLICT (scope) DO UPDATE SET version = excluded.version`,
  ];
}

/** Notes in a write transaction of which addresses outputs change, under the lock of their network. */
export async function noteOutputs(
  batch: Connection,
  network: Network,
  owners: Iterable<string>,
): Promise<void> {
  const scopes = new Set<string>();
  for (const owner of new Set(owners)) {
    scopes.add(outputsOfAddress(network, owner));
    if (scopes.size > MOST_BUCKETS) return noteAllOutputs(batch, network);
  }
  if (scopes.size > 0) await note(batch, [...scopes]);
}

/** The same of all outputs of the network. */
export const noteAllOutputs = (batch: Connection, network: Network): Promise<void> =>
  note(batch, [outputsOf(network)]);

async function note(batch: Connection, scopes: string[]): Promise<void> {
  await batch.query(
    `INSERT INTO write_version (scope, version)
     SELECT scope, gen_random_uuid() FROM unnest($1::text[]) AS given(scope) ORDER BY scope
     ON CONFLICT (scope) DO UPDATE SET version = excluded.version`,
    [scopes],
  );
}

const read = statement(
  'write versions',
  `SELECT coalesce(string_agg(v.scope || ' ' || v.version, ',' ORDER BY v.scope), '') AS text
   FROM write_version v WHERE v.scope = ANY(:scopes::text[])`,
);

/** The versions of scopes as one text, to be compared. To be read before the data, from the same server. */
export async function readVersions(reader: Pick<Reader, 'read'>, scopes: readonly string[]): Promise<string> {
  const [row] = await reader.read<{ text: string }>(read, [scopes]);
  return row?.text ?? '';
}
