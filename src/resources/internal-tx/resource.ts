import type { Resource } from '../../resource.js';
import { evmChainsTag } from '../chain/resource.js';
import { internalTxExport } from './export.js';
import { internalTxImport } from './import.js';
import { internalTxRoutes } from './rest.js';

export const internalTx: Resource = {
  rest: { tag: evmChainsTag, routes: internalTxRoutes },
  files: [internalTxImport],
  exports: [internalTxExport],
  pagedTable: 'internal_tx',
  onWorker: ['internal_tx'],
  counted: { table: 'internal_tx', label: 'Internal transactions' },
  example: `# Internal transactions of an EVM address
query InternalTransactions {
  evmAddress(
    chainId: "43113"
    address: "0x46744D1FeD52681e9e0Eecd3135836e202528Aa2"
  ) {
    internalTransactions(first: 3) {
      nodes {
        txHash
        blockNumber
        internalTxType
        value
        from {
          address
        }
        to {
          address
        }
        chain {
          chainName
        }
      }
    }
  }
}
`,
};
