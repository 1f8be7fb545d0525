import type { Network } from '../avalanche/networks.js';

/**
 * What only the sending chain of a message knows, and what only the receiving one does; both know the rest.
 */
const bySource = ['sourceTransaction', 'receiptDelivered', 'rewardDetails'];
const byDestination = ['destinationTransaction', 'messageExecuted'];

const textArray = (names: readonly string[]) => `ARRAY[${names.map((name) => `'${name}'`).join(', ')}]`;

/** What no block says of a reward: a contract says it of itself when it is asked, or a file does. */
const notOnChain = ['name', 'symbol', 'decimals', 'logoUri', 'price'];

/**
 * What the C-chain says of interchain messages: of those that it sent, and of those that it received. The
 * nodes of other chains are not asked. SQL of `key` and `row`.
 */
export function messageValues({
  network,
  cEvmChainId,
}: {
  readonly network: Network;
  readonly cEvmChainId: bigint;
}): string {
  const isSender = `s.evm_chain_id = ${cEvmChainId}`;
  return `SELECT encode(m.message_id, 'hex') AS key,
      jsonb_build_object(
        'source_blockchain', s.blockchain_id,
        'destination_blockchain', d.blockchain_id,
        'tie', CASE WHEN ${isSender} THEN m.tie END,
        'details', (m.details - 'status'::text
          - CASE WHEN ${isSender} THEN ${textArray(byDestination)} ELSE ${textArray(bySource)} END
          ) ${notOnChain.map((name) => `#- '{rewardDetails,${name}}'`).join(' ')}
      )::text AS row
    FROM icm_message m
    JOIN icm_chain s ON s.id = m.source_id
    JOIN icm_chain d ON d.id = m.destination_id
    WHERE m.network = '${network}'
      AND (${isSender} AND m.details ? 'sourceTransaction'
        OR d.evm_chain_id = ${cEvmChainId} AND m.details ? 'destinationTransaction')`;
}
