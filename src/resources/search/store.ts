import { toBytea } from '../../avalanche/evm.js';
import { networks, type Network } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement, type CompiledStatement } from '../../storage/statement.js';
import { MOST_HOLDINGS } from './fields.js';

/** Most EVM chains of the list of chains that one search looks at. */
export const MOST_CHAINS = 1000;
/** Most of them if only the beginning of an id is known, by which several may be meant. */
export const MOST_CHAINS_OF_BEGINNING = 100;

const evmChains = statement(
  'search_evm_chains',
  `SELECT c.evm_chain_id::text AS "evmChainId", CASE WHEN c.is_testnet THEN 'fuji' ELSE 'mainnet' END AS network
   FROM chain c ORDER BY c.evm_chain_id LIMIT ${MOST_CHAINS}`,
);

/** The first stored EVM chains by their EVM chain id, with their network. */
export function readEvmChains(storage: Reader): Promise<{ evmChainId: string; network: Network }[]> {
  return storage.read(evmChains, []);
}

const storedAddress = statement(
  'search_address',
  'SELECT a.address FROM address a WHERE a.network = :network::network AND a.address = :address',
);

/** Whether an output or a transaction names an address. */
export async function isStoredAddress(storage: Reader, network: Network, address: string): Promise<boolean> {
  return (await storage.read(storedAddress, bind(storedAddress, { network, address }))).length > 0;
}

const tokenHeld = statement(
  'search_nft_token',
  `SELECT wanted.chain::text AS "evmChainId"
   FROM unnest(:chains::bigint[]) AS wanted(chain)
   WHERE (SELECT true FROM nft_token t WHERE t.evm_chain_id = wanted.chain AND t.address = :address::bytea
     AND t.token_id = :tokenId::numeric LIMIT 1)`,
);

/** On which of the chains a contract's token is stored. */
export function chainsOfToken(
  storage: Reader,
  evmChainIds: readonly string[],
  address: string,
  tokenId: string,
): Promise<string[]> {
  return chainsIn(storage, tokenHeld, { chains: evmChainIds, address: toBytea(address), tokenId });
}

// Sub-selects with an order and a limit are read from the key: for EXISTS the planner might read a whole
// table.
const held = statement(
  'search_evm_holdings',
  `SELECT wanted.chain::text AS "evmChainId"
   FROM unnest(:chains::bigint[]) AS wanted(chain)
   WHERE coalesce(
     (SELECT true FROM evm_holding h WHERE h.evm_chain_id = wanted.chain AND h.kind = 'erc20'
       AND h.contract = :address::bytea LIMIT 1),
     (SELECT true
      FROM (SELECT h.id FROM evm_holding h WHERE h.evm_chain_id = wanted.chain
        ORDER BY h.kind, h.contract LIMIT ${MOST_HOLDINGS}) of_chain
      CROSS JOIN LATERAL (SELECT b.day FROM evm_balance b WHERE b.holding_id = of_chain.id
        AND b.address_id = (SELECT a.id FROM evm_address a WHERE a.address = :address::bytea)
        ORDER BY b.day LIMIT 1) balance
      LIMIT 1),
     false)`,
);

/** The chains on which an address has daily balances, or is an ERC-20 contract with balances. */
export const chainsOfHoldings = (storage: Reader, evmChainIds: readonly string[], address: string) =>
  chainsIn(storage, held, { chains: evmChainIds, address: toBytea(address) });

const anyMessage = (side: 'from' | 'to') => `(SELECT true FROM unnest(:networks::network[]) AS n(network)
     WHERE (SELECT true FROM icm_message m WHERE m.network = n.network AND m.${side}_address = :address::bytea
       ORDER BY m.timestamp LIMIT 1) LIMIT 1)`;

// Chains are looked up only if some message names the address. Messages name a chain by either id.
const messages = statement(
  'search_evm_messages',
  `SELECT wanted.chain::text AS "evmChainId"
   FROM unnest(:chains::bigint[]) AS wanted(chain)
   WHERE coalesce(${anyMessage('from')}, ${anyMessage('to')}) AND (
     SELECT true
     FROM (
       SELECT c.network, c.id FROM icm_chain c WHERE c.evm_chain_id = wanted.chain::numeric
       UNION ALL
       SELECT c.network, c.id FROM chain known CROSS JOIN unnest(:networks::network[]) AS n(network)
         JOIN icm_chain c ON c.network = n.network AND c.blockchain_id = known.blockchain_id
       WHERE known.evm_chain_id = wanted.chain AND c.evm_chain_id <> wanted.chain::numeric
     ) of_chain
     WHERE coalesce(
       (SELECT true FROM icm_message m WHERE m.network = of_chain.network AND m.source_id = of_chain.id
         AND m.from_address = :address::bytea ORDER BY m.timestamp LIMIT 1),
       (SELECT true FROM icm_message m WHERE m.network = of_chain.network AND m.destination_id = of_chain.id
         AND m.to_address = :address::bytea ORDER BY m.timestamp LIMIT 1),
       false)
     LIMIT 1)`,
);

/**
 * On which of the chains an address sent or received interchain messages, by the chains' ids in messages or
 * in the list.
 */
export const chainsOfMessages = (storage: Reader, evmChainIds: readonly string[], address: string) =>
  chainsIn(storage, messages, { chains: evmChainIds, networks, address: toBytea(address) });

async function chainsIn(
  storage: Reader,
  of: CompiledStatement,
  values: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const rows = await storage.read<{ evmChainId: string }>(of, bind(of, values));
  return rows.map(({ evmChainId }) => evmChainId);
}
