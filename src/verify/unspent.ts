import { AddressError, parseAddress } from '../avalanche/address.js';
import { decodeUtxo } from '../avalanche/codec/outputs.js';
import type { Network, PrimaryChain } from '../avalanche/networks.js';
import type { UtxoRequest } from '../follow/node/apis.js';
import type { Nodes } from '../follow/node/nodes.js';
import { pipelineTable } from '../state/following.js';
import type { Storage } from '../storage/storage.js';
import { withSnapshot } from '../export/snapshot.js';
import type { Connection } from '../storage/session.js';
import { Findings, notCompared, orNotCompared, type Outcome } from './finding.js';

const name = 'unspent outputs of addresses';
const by = 'getUTXOs of the node';
/** Outputs of an answer, at most. */
const PAGE = 1024;

/** From where to where outputs can lie: of the C-chain only those that are on their way exist. */
const ways: readonly (readonly [createdOn: PrimaryChain, consumedOn: PrimaryChain])[] = [
  ...(['p', 'x', 'c'] as const).map((from) => [from, 'p'] as const),
  ...(['x', 'p', 'c'] as const).map((from) => [from, 'x'] as const),
  ...(['p', 'x'] as const).map((from) => [from, 'c'] as const),
];

/** What the comparison works with. */
export interface UnspentDeps {
  readonly nodes: Nodes;
  readonly network: Network;
  readonly signal: AbortSignal;
  /** How many of the richest addresses, and how many random ones. */
  readonly addresses: number;
}

/**
 * Compares what addresses can spend with what the node says: those that have most AVAX, and random ones.
 *
 * @throws the signal's reason
 */
export function compareUnspent(stored: Storage, deps: UnspentDeps): Promise<readonly Outcome[]> {
  return orNotCompared(name, by, async () => [await unspentOf(stored, deps)]);
}

function unspentOf(stored: Storage, deps: UnspentDeps): Promise<Outcome> {
  const { nodes, network, signal } = deps;
  return withSnapshot(stored, async (session) => {
    const before = await behind(session, deps);
    if (before !== null) return notCompared(name, by, before);
    const findings = new Findings();
    const addresses = await someAddresses(session, deps);
    for (const address of addresses) {
      const fault = faultOf(network, address);
      if (fault !== null) {
        findings.add({ row: address, column: 'address', stored: address, proved: `an address: it ${fault}` });
        continue;
      }
      for (const [createdOn, consumedOn] of ways) {
        const ours = await heldOutputs(session, network, [address, createdOn, consumedOn]);
        const theirs = await ask(nodes, address, createdOn, consumedOn, signal);
        compareSets(`${address}, ${createdOn} to ${consumedOn}`, ours, theirs, findings);
      }
    }
    // What was spent meanwhile is no difference.
    const after = await behind(session, deps);
    return after === null ? findings.outcome(name, by, addresses.length) : notCompared(name, by, after);
  });
}

/** Why a text is no address, for people; null for one. */
function faultOf(network: Network, address: string): string | null {
  try {
    parseAddress(network, address);
    return null;
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}

/** Why the node is not where the database is; null where it is. */
async function behind(session: Connection, { nodes, network, signal }: UnspentDeps): Promise<string | null> {
  const heads = {
    p: await nodes.platform.height({ signal }),
    x: await nodes.avm.height({ signal }),
    'c-atomic': await nodes.evm.height({ signal }),
  };
  const { rows } = await session.query<{ name: string; next: string; first: string }>(
    `SELECT name, next_height::text AS next, first_height::text AS first FROM ${pipelineTable.name} WHERE network = $1::network`,
    [network],
  );
  for (const [chain, head] of Object.entries(heads)) {
    const row = rows.find((one) => one.name === chain);
    if (!row) return `${chain} is not followed`;
    if (row.first !== '0') return `${chain} was begun in the middle, at block ${row.first}`;
    if (BigInt(row.next) !== head + 1n)
      return `the newest block of ${chain} that the node has is ${head}; ${BigInt(row.next) - 1n} is stored`;
  }
  return null;
}

async function someAddresses(session: Connection, { network, addresses }: UnspentDeps): Promise<string[]> {
  const { rows } = await session.query<{ address: string }>(
    `(SELECT a.address FROM address_balance b JOIN address a ON a.id = b.address_id
      WHERE a.network = $1::network AND a.address <> '' GROUP BY a.address ORDER BY sum(b.created_unspent) DESC LIMIT $2)
     UNION (SELECT address FROM address WHERE network = $1::network AND address <> '' ORDER BY random() LIMIT $2)`,
    [network, addresses],
  );
  return rows.map(({ address }) => address);
}

/** Amounts by utxoId. */
async function heldOutputs(
  session: Connection,
  network: Network,
  where: readonly [address: string, createdOn: PrimaryChain, consumedOn: PrimaryChain],
): Promise<Map<string, string>> {
  const { rows } = await session.query<{ id: string; amount: string }>(
    `SELECT u.utxo_id AS id, u.amount::text AS amount FROM address a
     JOIN utxo_owner o ON o.address_id = a.id AND o.chain = $3::primary_chain JOIN utxo u ON u.id = o.utxo_row_id
     WHERE a.network = $1::network AND a.address = $2 AND u.created_on = $3::primary_chain
       AND u.consumed_on = $4::primary_chain AND u.consuming_tx_hash IS NULL AND u.staked IS NOT TRUE`,
    [network, ...where],
  );
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

async function ask(
  { platform, avm, avax }: Nodes,
  address: string,
  createdOn: PrimaryChain,
  consumedOn: PrimaryChain,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const addresses = [`${consumedOn.toUpperCase()}-${address}`];
  const sourceChain = createdOn.toUpperCase();
  const request: UtxoRequest = { addresses, limit: PAGE, ...(createdOn !== consumedOn && { sourceChain }) };
  if (consumedOn === 'p') return platform.utxos(request, { signal });
  if (consumedOn === 'x') return avm.utxos(request, { signal });
  return avax.utxos({ ...request, sourceChain }, { signal });
}

function compareSets(
  where: string,
  ours: ReadonlyMap<string, string>,
  utxos: readonly Uint8Array[],
  findings: Findings,
): void {
  const theirs = new Map(
    utxos.map(decodeUtxo).map(({ utxoId, output }) => [utxoId, output.amount.toString()]),
  );
  for (const [id, amount] of theirs)
    if (ours.get(id) !== amount)
      findings.add({
        row: `${id} of ${where}`,
        column: 'amount',
        proved: `${amount}, unspent`,
        stored: ours.get(id) ?? 'no such unspent output',
      });
  // A full answer has not all of them.
  if (utxos.length >= PAGE) return;
  for (const [id, amount] of ours)
    if (!theirs.has(id))
      findings.add({
        row: `${id} of ${where}`,
        column: 'amount',
        proved: 'no such unspent output',
        stored: `${amount}, unspent`,
      });
}
