import { hrpOf, publicIdentities, type NetworkIdentity } from '../../avalanche/identity.js';
import { networks, parseNetwork, primaryChains, type Network } from '../../avalanche/networks.js';
import type { FollowNetwork } from '../../generated/prisma/client.js';
import { networkTable } from '../../state/following.js';
import { valuesOf } from '../../state/table.js';
import { adoptStoredIdentities, storedIdentity } from '../../storage/identities.js';
import type { Storage } from '../../storage/open.js';
import type { Batch, Connection } from '../../storage/session.js';
import { allLocks, inWriteTransaction } from '../../write/transaction.js';
import { upsertRows } from '../../write/upsert.js';
import { FollowError } from '../errors.js';
import type { NodeFacts } from './node-facts.js';

/** What a database holds: nothing that was imported or followed, the generated sample, or other rows. */
export type Contents = 'nothing' | 'sample' | 'rows';

export interface IdentityOptions {
  /** The name under which to show a network that has none here; absent: its own. */
  as?: string | undefined;
  storage: Pick<Storage, 'prisma' | 'session' | 'description'>;
  /** Reads what the database holds. */
  contents: (connection: Connection) => Promise<Contents>;
}

/**
 * Decides under which name a node's network is shown, keeps its identity in the database, and makes it this
 * process's. A database that has the same identity is left as it is.
 *
 * @throws FollowError for a network without a name, a name that `as` cannot give, and a database that holds
 *   another network or the generated sample; nothing is written then
 */
export async function adoptIdentity(facts: NodeFacts, options: IdentityOptions): Promise<Network> {
  const { storage } = options;
  const wanted = identityRow(facts, options.as);
  const { network } = wanted;
  const stored = await storage.prisma.followNetwork.findUnique({ where: { network } });
  if (stored) checkSame(stored, wanted, storage);
  else
    // Under the locks of all writers, so that no other process fills the database between the check and the
    // row.
    await storage.session((session) =>
      inWriteTransaction(session, allLocks, (batch) => adoptFirst(batch, wanted, options)),
    );
  await adoptStoredIdentities(storage.prisma);
  return network;
}

async function adoptFirst(batch: Batch, wanted: FollowNetwork, options: IdentityOptions): Promise<void> {
  // Another follower may have been first.
  if (await checkDatabase(batch, wanted, options)) return;
  await upsertRows(batch, networkTable, [valuesOf(networkTable, wanted)]);
}

/** Whether the database has this identity already. @throws FollowError where it may not get it */
async function checkDatabase(
  connection: Connection,
  wanted: FollowNetwork,
  { storage, contents }: IdentityOptions,
): Promise<boolean> {
  const { rows } = await connection.query<{ network: Network; row: string }>(
    `SELECT network::text AS network, concat_ws(' ', network_id, genesis) AS row FROM ${networkTable.name}`,
  );
  const same = rows.find(({ network }) => network === wanted.network);
  if (same) {
    const stored = await storage.prisma.followNetwork.findUniqueOrThrow({ where: { network: same.network } });
    checkSame(stored, wanted, storage);
    return true;
  }
  const held = await contents(connection);
  const freshDatabase =
    'Nothing was written. Use a separate database for this network: set DATA_DIR to a new folder, or DATABASE_URL to an empty database.';
  if (held === 'sample')
    throw new FollowError(
      `${storage.description} contains the generated sample, which would be mixed with the data of the node. ${freshDatabase}`,
    );
  if (isPublic(wanted) || (held === 'nothing' && rows.length === 0)) return false;
  throw new FollowError(
    `${storage.description} already has rows: ${nameOf(wanted)} can be shown as ${wanted.network} only in an empty database. ${freshDatabase}`,
  );
}

/**
 * What the database would keep of a network.
 *
 * @param as the name under which to show it; undefined: its own
 * @throws FollowError for a network that cannot have a name
 */
export function identityRow(facts: NodeFacts, as: string | undefined): FollowNetwork {
  const own = networks.find((network) => publicIdentities[network].networkId === facts.networkId);
  const asked = as === undefined ? undefined : parseNetwork(as);
  if (as !== undefined && asked !== 'fuji')
    throw new FollowError(`--as ${as}: a network can be shown under another name only as fuji.`);
  if (own && asked && asked !== own)
    throw new FollowError(
      `The node belongs to ${own}, which is shown under its own name: leave out --as ${as}.`,
    );
  const network = own ?? asked;
  if (!network)
    throw new FollowError(
      `The node belongs to the network ${facts.networkId}, which is neither mainnet nor fuji. Give --as fuji to show that network under the name fuji; the database must be empty.`,
    );
  const row = { ...facts, network, hrp: hrpOf(facts.networkId), importing: null };
  if (own && !isPublic(row))
    throw new FollowError(
      `The node says that it belongs to ${own} (network ${facts.networkId}), but its chains are not those of ${own}: its X-chain is ${facts.xChainId}. Give your own network a network id that no public network has.`,
    );
  return row;
}

function isPublic(row: FollowNetwork): boolean {
  const [known, given] = [publicIdentities[row.network], storedIdentity(row)];
  return isSame(known, given);
}

const isSame = (a: NetworkIdentity, b: NetworkIdentity): boolean =>
  a.networkId === b.networkId &&
  primaryChains.every((chain) => a.blockchainIds[chain] === b.blockchainIds[chain]) &&
  a.nativeAssetId === b.nativeAssetId &&
  a.evmChainId === b.evmChainId;

/** @throws FollowError that names both networks */
function checkSame(
  stored: FollowNetwork,
  wanted: FollowNetwork,
  { description }: Pick<Storage, 'description'>,
): void {
  if (stored.importing !== null)
    throw new FollowError(
      `The import of an export into ${description} has not ended, and its streams begin after the last row. Run the same \`moraine import\` again first, or use an empty database. Nothing was written.`,
    );
  if (stored.genesis === wanted.genesis && isSame(storedIdentity(stored), storedIdentity(wanted))) return;
  throw new FollowError(
    `${description} contains ${nameOf(stored)} as ${stored.network}, but the node belongs to ${nameOf(wanted)}${differenceOf(stored, wanted)}. Nothing was written. Use a separate database for this network: set DATA_DIR to a new folder, or DATABASE_URL to an empty database.`,
  );
}

/** Of one genesis, which of its ids are others; for people. */
function differenceOf(stored: FollowNetwork, wanted: FollowNetwork): string {
  const named = [
    ['number', stored.networkId, wanted.networkId],
    ['X-chain', stored.xChainId, wanted.xChainId],
    ['C-chain', stored.cChainId, wanted.cChainId],
    ['AVAX', stored.avaxAssetId, wanted.avaxAssetId],
    ['EVM chain id', stored.cEvmChainId, wanted.cEvmChainId],
  ] as const;
  const other = named.find(([, one, another]) => one !== another);
  if (stored.genesis !== wanted.genesis || !other) return '';
  const [name, one, another] = other;
  return `, and one of both has wrong ids: the ${name} is ${one} in the database, and ${another} on the node. The genesis file proves them: give it with --genesis. If the database is wrong, a node without that file has filled it`;
}

/** For people; the genesis tells networks with one number apart. */
const nameOf = (row: FollowNetwork): string =>
  isPublic(row) ? row.network : `the network ${row.networkId} (genesis ${row.genesis})`;
