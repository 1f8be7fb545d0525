import type { Network, PrimaryChain } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement } from '../../storage/statement.js';

const anyProposer = statement(
  'block_proposers_known',
  `SELECT EXISTS (
     SELECT FROM block WHERE network = :network::network AND chain = :chain::primary_chain AND proposer_node_id IS NOT NULL) AS known`,
);

/** Whether the proposer of any stored block of a chain is known. */
export async function knowsProposers(
  storage: Pick<Reader, 'read'>,
  network: Network,
  chain: PrimaryChain,
): Promise<boolean> {
  const [row] = await storage.read<{ known: boolean }>(anyProposer, bind(anyProposer, { network, chain }));
  return row!.known;
}
