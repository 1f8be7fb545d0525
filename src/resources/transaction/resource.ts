import type { Resource } from '../../resource.js';
import { primaryNetworkTag } from '../utxo/resource.js';
import { transactionExport } from './export.js';
import { countedTransactions } from './counted.js';
import { transactionImport } from './import.js';
import { transactionRoutes } from './rest.js';

export const transaction: Resource = {
  rest: { tag: primaryNetworkTag, routes: transactionRoutes },
  files: [transactionImport],
  exports: [transactionExport],
  pagedTable: 'transaction',
  countedByLedger: countedTransactions,
  example: `# The newest staking transactions, with what they consumed and emitted
query Transactions {
  transactions(
    network: fuji
    blockchainId: "p-chain"
    txTypes: [
      AddPermissionlessValidatorTx
    ]
    first: 3
  ) {
    nodes {
      txHash
      blockTimestamp
      nodeId
      amountStaked {
        amount
        symbol
      }
      consumedUtxos(first: 5) {
        nodes {
          utxoId
          amount
        }
      }
      emittedUtxos(first: 5) {
        nodes {
          utxoId
          amount
          staked
          utxoEndTimestamp
        }
      }
    }
  }
}
`,
};
