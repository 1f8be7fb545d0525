import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { networkTable } from '../state/following.js';
import type { Storage } from '../storage/open.js';
import type { Connection } from '../storage/session.js';
import { CHECKPOINT_FILE } from './checkpoint-tables.js';
import { IngestError } from './errors.js';
import { isOwn, readHeader, type ExportedNetwork } from './export-header.js';
import type { SourceFile } from './source-file.js';

/** A network that is stored; with the hash of the checkpoints whose export is being imported. */
export interface StoredNetwork extends ExportedNetwork {
  readonly importing: string | null;
}

export async function storedNetworks(connection: Connection): Promise<StoredNetwork[]> {
  const { rows } = await connection.query<StoredNetwork>(
    `SELECT network::text, network_id::text, genesis, x_chain_id, c_chain_id, avax_asset_id, c_evm_chain_id::text, hrp, importing
     FROM ${networkTable.name}`,
  );
  return rows;
}

/**
 * Other rows among those of an export would be taken for its own, and a follower would resume from them.
 *
 * @param digest the hash of the checkpoints that are imported now; null of other files
 * @throws IngestError where the import of another export was interrupted
 */
export function checkEnded(
  stored: readonly StoredNetwork[],
  digest: string | null,
  description: string,
): void {
  if (stored.every(({ importing }) => importing === null || importing === digest)) return;
  throw new IngestError(
    `the import of ${digest === null ? 'an' : 'another'} export into ${description} has not ended: run that one again, with all of its files, or use an ` +
      'empty database. Nothing was imported',
  );
}

/** Those that are not stored. @throws IngestError where another one has the name */
export function missingNetworks(
  networks: readonly ExportedNetwork[],
  stored: readonly StoredNetwork[],
  description: string,
): ExportedNetwork[] {
  return networks.filter((network) => {
    const known = stored.find((each) => each.network === network.network);
    if (known && textOf(known) !== textOf(network))
      throw new IngestError(
        `${description} contains another network as ${network.network}: the network ${known.network_id} (genesis ${known.genesis}), not ` +
          `${network.network_id} (genesis ${network.genesis}). Nothing was imported. Import into an empty database`,
      );
    return !known;
  });
}

const textOf = (row: ExportedNetwork): string =>
  [row.network_id, row.genesis, row.x_chain_id, row.c_chain_id, row.avax_asset_id, row.c_evm_chain_id].join(
    ' ',
  );

/**
 * Checks that the networks of files are known. Ids and addresses of a network of one's own cannot be read
 * without the file of checkpoints that lies next to its rows.
 *
 * @throws IngestError where it is not among the files, and the database does not know the network; where the
 *   import of an export was interrupted
 */
export async function checkNetworks(storage: Storage, files: readonly SourceFile[]): Promise<void> {
  const stored = await storage.session(storedNetworks);
  checkEnded(stored, null, storage.description);
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    const path = [`${CHECKPOINT_FILE}.ndjson.gz`, `${CHECKPOINT_FILE}.ndjson`]
      .map((name) => join(folder, name))
      .find((each) => existsSync(each));
    if (path === undefined) continue;
    const { networks } = await readHeader(path);
    const [missing] = missingNetworks(networks.filter(isOwn), stored, storage.description);
    const file = files.find(({ scope }) => 'network' in scope && scope.network === missing?.network);
    if (!missing || !file) continue;
    throw new IngestError(
      `${basename(file.path)} has rows of the network ${missing.network_id}, which this database does not know: import ${path} with it. Nothing was imported`,
    );
  }
}
