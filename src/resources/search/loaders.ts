import { networks as allNetworks, type Network } from '../../avalanche/networks.js';
import { formOf, type Form } from '../../avalanche/text-form.js';
import type { Context } from '../../graphql/context.js';
import { ofPrimaryChain } from './blockchain-loaders.js';
import { inOrder } from './candidate.js';
import { ofEvmAddress, ofEvmHash, ofToken } from './evm-loaders.js';
import type { Candidates, Search, SearchResult } from './fields.js';
import { ofAddress, ofId, ofNode, ofNumber } from './ledger-loaders.js';

/**
 * Says what a text is, or could be.
 *
 * @param network the only one that is searched; null for all
 */
export async function searchFor(
  given: string,
  network: Network | null,
  context: Context,
): Promise<SearchResult> {
  const { text, form, problem } = formOf(given);
  if (!form) return { text, problem, candidates: [] };
  if (network && form.is === 'address' && form.network !== network) {
    const elsewhere = `This is an address of ${form.network}, and only ${network} was searched.`;
    return { text, problem: elsewhere, candidates: [] };
  }
  const networks = network ? [network] : allNetworks;
  return { text, problem, candidates: inOrder(await candidatesOf(form, { networks, context })) };
}

function candidatesOf(form: Form, search: Search): Candidates {
  switch (form.is) {
    case 'address':
      return ofAddress(form.network, form.address, search);
    case 'id':
      return ofId(form.id, search);
    case 'node':
      return ofNode(form.nodeId, search);
    case 'number':
      return ofNumber(form.number, search);
    case 'evmAddress':
      return ofEvmAddress(form.address, search);
    case 'evmHash':
      return ofEvmHash(form.hash, search);
    case 'token':
      return ofToken(form.address, form.tokenId, search);
    case 'chain':
      return ofPrimaryChain(form.chain, search);
  }
}
