import type { Network } from '../../avalanche/networks.js';
import { asUint256 } from '../../rows/check-evm.js';
import { asId } from '../../rows/check.js';
import type { Batch } from '../../storage/session.js';
import type { RowKind } from '../../write/kind.js';
import type { NetworkScope } from '../../write/scope.js';
import { upsertRows } from '../../write/upsert.js';
import type { MessageChain } from './import-row.js';

interface StoredChain extends MessageChain {
  readonly id: number;
}

export const keyOf = ({ blockchainId, evmChainId }: MessageChain) => `${blockchainId} ${evmChainId}`;

/** EVM chain id of a chain whose own is not known. */
const UNKNOWN = '0';

/**
 * Row ids of chains by keyOf; new ones are added. One whose EVM chain id is not known is the stored chain
 * with its blockchain id, and once a row knows it, the messages of the unknown one are moved to it.
 */
export async function chainIdsOf(
  client: Batch,
  network: Network,
  chains: readonly MessageChain[],
): Promise<Map<string, number>> {
  if (chains.length === 0) return new Map();
  const before = knownIn([...(await storedChains(client, network)), ...chains]);
  const columns = { network: 'network', blockchain_id: 'text', evm_chain_id: 'numeric(78, 0)' };
  await upsertRows(
    client,
    { name: 'icm_chain', columns, key: Object.keys(columns) },
    chains.map(({ blockchainId, evmChainId }) => [
      network,
      blockchainId,
      evmChainId === UNKNOWN ? (before.get(blockchainId)?.evmChainId ?? UNKNOWN) : evmChainId,
    ]),
  );
  const stored = await storedChains(client, network);
  const known = knownIn(stored);
  const ids = new Map(stored.map((chain) => [keyOf(chain), chain.id]));
  for (const [blockchainId, { id }] of known) {
    const key = keyOf({ blockchainId, evmChainId: UNKNOWN });
    const unknown = ids.get(key);
    if (unknown !== undefined) await moveMessages(client, network, unknown, id);
    ids.set(key, id);
  }
  return ids;
}

/** The chains with an EVM chain id, by blockchain id; where files give one several, the smallest. */
function knownIn<C extends MessageChain>(chains: readonly C[]): Map<string, C> {
  const known = new Map<string, C>();
  for (const chain of chains) {
    const { blockchainId, evmChainId } = chain;
    const other = known.get(blockchainId);
    const isFirst = other === undefined || BigInt(evmChainId) < BigInt(other.evmChainId);
    if (evmChainId !== UNKNOWN && isFirst) known.set(blockchainId, chain);
  }
  return known;
}

async function storedChains(client: Batch, network: Network): Promise<StoredChain[]> {
  const { rows } = await client.query<StoredChain>(
    `SELECT id, blockchain_id AS "blockchainId", evm_chain_id::text AS "evmChainId" FROM icm_chain WHERE network = $1`,
    [network],
  );
  return rows;
}

async function moveMessages(client: Batch, network: Network, from: number, to: number): Promise<void> {
  for (const end of ['source_id', 'destination_id'])
    await client.query(`UPDATE icm_message SET ${end} = $1 WHERE network = $2 AND ${end} = $3`, [
      to,
      network,
      from,
    ]);
  await client.query(
    `WITH gone AS (DELETE FROM message_day WHERE chain_id = $1 RETURNING *)
     INSERT INTO message_day AS d (network, day, chain_id, sent, received)
     SELECT network, day, $2, sent, received FROM gone
     ON CONFLICT (network, day, chain_id) DO UPDATE
       SET sent = d.sent + excluded.sent, received = d.received + excluded.received`,
    [from, to],
  );
  await client.query('DELETE FROM icm_chain WHERE id = $1', [from]);
}

/** EVM chain ids for messages that were stored without them. */
export const messageChainRows: RowKind<MessageChain, NetworkScope> = {
  tables: ['icm_chain', 'icm_message', 'message_day'],
  lock: ({ network }) => network,
  read(value) {
    const { blockchainId, evmChainId } = value as Partial<MessageChain>;
    return {
      blockchainId: asId(blockchainId, 'blockchainId'),
      evmChainId: asUint256(evmChainId, 'evmChainId'),
    };
  },
  async write(client, { network }, rows) {
    await chainIdsOf(client, network, rows);
    return { written: rows.length, unchanged: 0 };
  },
};
