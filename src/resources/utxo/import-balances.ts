import { bareArrayText } from '../../storage/copy.js';
import type { Batch } from '../../storage/session.js';
import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import { isSpent } from './import-merge.js';
import { chainsOf, ownerId, ownersOf } from './import-owners.js';
import type { UtxoRecord } from './import-row.js';

/** A change of an output; `before` is null for a new one. */
export interface UtxoChange {
  before: UtxoRecord | null;
  after: UtxoRecord;
}

/** The increase of a balance; negative where it falls. */
interface Growth {
  /** Row id. */
  addressId: string;
  chain: PrimaryChain;
  assetId: string;
  outputs: number;
  unspent: bigint;
  received: bigint;
  createdOutputs: number;
  createdUnspent: bigint;
  createdReceived: bigint;
}

/**
 * Adds changes of outputs to the balances of addresses. Addresses and assets must have their rows. Must run under the
 * network's import lock, like the write of the outputs themselves.
 *
 * @param addressIds row ids of every address that owns, or owned, one of the outputs
 */
export async function writeBalances(
  client: Batch,
  network: Network,
  addressIds: ReadonlyMap<string, string>,
  changes: readonly UtxoChange[],
): Promise<void> {
  const all = growthOf(changes, addressIds);
  if (all.length === 0) return;
  const values = [
    network,
    bareArrayText(all.map(({ addressId }) => addressId)),
    bareArrayText(all.map(({ chain }) => chain)),
    bareArrayText(all.map(({ assetId }) => assetId)),
    bareArrayText(all.map(({ outputs }) => outputs)),
    bareArrayText(all.map(({ unspent }) => unspent)),
    bareArrayText(all.map(({ received }) => received)),
    bareArrayText(all.map(({ createdOutputs }) => createdOutputs)),
    bareArrayText(all.map(({ createdUnspent }) => createdUnspent)),
    bareArrayText(all.map(({ createdReceived }) => createdReceived)),
  ];
  await client.query(
    `INSERT INTO address_balance AS b
     SELECT growth.address_id, growth.chain, asset.id, outputs, unspent, received,
       created_outputs, created_unspent, created_received
     FROM unnest($2::bigint[], $3::primary_chain[], $4::text[], $5::bigint[], $6::numeric[], $7::numeric[],
         $8::bigint[], $9::numeric[], $10::numeric[])
       AS growth(address_id, chain, asset_id, outputs, unspent, received,
         created_outputs, created_unspent, created_received)
     JOIN asset ON asset.network = $1 AND asset.asset_id = growth.asset_id
     ON CONFLICT (address_id, chain, asset_row_id) DO UPDATE SET
       outputs = b.outputs + excluded.outputs,
       unspent = b.unspent + excluded.unspent,
       received = b.received + excluded.received,
       created_outputs = b.created_outputs + excluded.created_outputs,
       created_unspent = b.created_unspent + excluded.created_unspent,
       created_received = b.created_received + excluded.created_received`,
    values,
  );
  await dropEmpty(client, all);
}

// An output whose owners were corrected may have been the only one of an address.
async function dropEmpty(client: Batch, all: readonly Growth[]): Promise<void> {
  const shrunk = all.filter(({ outputs }) => outputs < 0).map(({ addressId }) => addressId);
  if (shrunk.length === 0) return;
  await client.query('DELETE FROM address_balance WHERE address_id = ANY($1::bigint[]) AND outputs = 0', [
    bareArrayText(shrunk),
  ]);
}

function growthOf(changes: readonly UtxoChange[], addressIds: ReadonlyMap<string, string>): Growth[] {
  const found = new Map<string, Growth>();
  for (const { before, after } of changes) {
    if (before) addOutput(found, addressIds, before, -1);
    addOutput(found, addressIds, after, 1);
  }
  // Each number is compared: outputs that swap chains do not change counts and the sums of the list.
  return [...found.values()].filter(
    ({ outputs, unspent, received, createdOutputs, createdUnspent, createdReceived }) =>
      outputs !== 0 ||
      createdOutputs !== 0 ||
      [unspent, received, createdUnspent, createdReceived].some((amount) => amount !== 0n),
  );
}

function addOutput(
  found: Map<string, Growth>,
  addressIds: ReadonlyMap<string, string>,
  record: UtxoRecord,
  sign: 1 | -1,
): void {
  const amount = BigInt(record.amount);
  const received = sign === 1 ? amount : -amount;
  const unspent = isSpent(record) ? 0n : received;
  for (const address of ownersOf(record)) {
    const addressId = ownerId(addressIds, address);
    for (const chain of chainsOf(record)) {
      const growth = growthAt(found, addressId, chain, record.asset_id);
      growth.outputs += sign;
      growth.unspent += unspent;
      growth.received += received;
      if (chain !== record.created_on) continue;
      growth.createdOutputs += sign;
      growth.createdUnspent += unspent;
      growth.createdReceived += received;
    }
  }
}

function growthAt(
  found: Map<string, Growth>,
  addressId: string,
  chain: PrimaryChain,
  assetId: string,
): Growth {
  const key = `${addressId} ${chain} ${assetId}`;
  let growth = found.get(key);
  if (!growth) {
    const none = { outputs: 0, unspent: 0n, received: 0n };
    growth = {
      addressId,
      chain,
      assetId,
      ...none,
      createdOutputs: 0,
      createdUnspent: 0n,
      createdReceived: 0n,
    };
    found.set(key, growth);
  }
  return growth;
}
