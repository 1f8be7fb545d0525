import { chainName } from '../../avalanche/networks.js';
import type { Holdings } from './holdings.js';

/** A request to copy into a shell. */
export interface FirstRequest {
  title: string;
  command: string;
}

/**
 * Requests that give data from what is held; with an empty database ones that give the limits.
 *
 * @param base address of the service, without a slash at the end
 */
export function firstRequests(base: string, { chains }: Holdings): FirstRequest[] {
  const outputs = chains.find(({ utxos }) => utxos.rows > 0);
  const transactions = chains.find((each) => each.transactions.rows > 0);
  return [
    outputs && {
      title: `The newest unspent outputs of the ${outputs.network} ${outputs.chain.toUpperCase()}-chain (REST)`,
      command: `curl '${base}/v1/networks/${outputs.network}/blockchains/${chainName(outputs.chain)}/utxos?pageSize=2'`,
    },
    transactions && {
      title: `Its newest transactions and what they emitted (GraphQL)`,
      command: graphqlCommand(
        base,
        `{ transactions(network: ${transactions.network}, blockchainId: "${chainName(transactions.chain)}", first: 2) { nodes { txHash txType blockTimestamp emittedUtxos { nodes { utxoId amount } } } } }`,
      ),
    },
    !outputs &&
      !transactions && {
        title: 'The limits of this gateway (GraphQL)',
        command: graphqlCommand(base, '{ serviceConfig { maxPageSize maxCost maxDepth } }'),
      },
  ].filter((request) => typeof request === 'object');
}

function graphqlCommand(base: string, query: string): string {
  return `curl '${base}/graphql' -H 'content-type: application/json' -d '${JSON.stringify({ query })}'`;
}
