import { chainName } from '../../avalanche/networks.js';
import type { LedgerRows, Resource } from '../../resource.js';
import type { Tag } from '../../rest/openapi/document.js';
import { utxoExport } from './export.js';
import { utxoImport } from './import.js';
import { utxoDerivation } from './import-stored.js';
import { utxoRoutes } from './rest.js';

export const primaryNetworkTag: Tag = {
  name: 'Primary network',
  description: 'UTXOs, transactions and vertices of the P-, X- and C-chain.',
};

/** What the first screen shows of outputs. */
const countedUtxos: LedgerRows = {
  label: 'UTXOs',
  // Every output of a network's chains has an owner row under the network's empty address: see the model
  // Address. Its id is a literal in the statement, because the planner's estimate for a sub-select is far
  // off.
  async source(query) {
    const rows = await query<{ network: string; id: string }>(
      `SELECT network::text AS network, id::text AS id FROM address WHERE address = ''`,
    );
    const everybody = new Map(rows.map(({ network, id }) => [network, id]));
    return ({ network, chain }) =>
      `utxo_owner WHERE chain = '${chain}' AND address_id = ${everybody.get(network)}`;
  },
  request: ({ network, chain }) => ({
    title: `The newest unspent outputs of the ${network} ${chain.toUpperCase()}-chain (REST)`,
    path: `/v1/networks/${network}/blockchains/${chainName(chain)}/utxos?pageSize=2`,
  }),
};

export const utxo: Resource = {
  rest: { tag: primaryNetworkTag, routes: utxoRoutes },
  files: [utxoImport],
  exports: [utxoExport],
  derivation: utxoDerivation,
  pagedTable: 'utxo',
  countedByLedger: countedUtxos,
};
