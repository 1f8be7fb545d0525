import { objectSchema, objectSchemas } from '../../fields/object-schema.js';
import { list, ref, type JsonSchemas } from '../../fields/json-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import { defineRoute, ofNetwork } from '../../rest/route.js';
import { avaxExample } from '../asset/fields.js';
import { utxoSchemas } from '../utxo/rest.js';
import { transactionArguments } from './arguments.js';
import { detailObjects, transactionDetails } from './details.js';
import { transactionFields } from './fields.js';
import { genesisSchemas } from './genesis.js';

const getTransaction = graphql(`
  query GetTransaction($network: Network!, $blockchainId: String!, $txHash: String!) {
    transaction(network: $network, blockchainId: $blockchainId, txHash: $txHash) {
      json
      consumedUtxos {
        json
      }
      emittedUtxos {
        json
      }
    }
  }
`);

/** As in the sample, without its outputs. */
export const transactionExample = {
  txHash: 'pV2UgLcZC9Pc94VdQH2PVSzurLV7FWQ6M9817yyFKMZX9TFYw',
  txType: 'AddPermissionlessValidatorTx',
  blockTimestamp: 1784820152,
  blockNumber: '2078632',
  blockHash: 'qkaUB9i2dhCKXaJYwsPvT4MSRrGiiaEnFur3NKcsqZvR738Vy',
  value: [],
  amountBurned: [],
  amountStaked: [{ ...avaxExample, amount: '25018165868' }],
  amountL1ValidatorBalanceBurned: [],
  startTimestamp: 1784820806,
  endTimestamp: 1788104006,
  delegationFeePercent: '4',
  nodeId: 'NodeID-7VqBscvffaYS2emeYEVJQqQfyL6a5afyF',
  estimatedReward: '208370477',
  consumedUtxos: [],
  emittedUtxos: [],
};

export const transactionSchemas: JsonSchemas = {
  ...genesisSchemas,
  ...objectSchemas(detailObjects),
  Transaction: objectSchema(
    'A transaction of a primary network chain. Members that do not apply to its txType are left out.',
    { ...transactionFields, ...transactionDetails },
    {
      consumedUtxos: list('The outputs that the transaction spent.', ref('Utxo')),
      emittedUtxos: list('The outputs that the transaction created.', ref('Utxo')),
    },
  ),
};

/** When the last output of a transaction was spent, Unix seconds; undefined if one is left. */
function spentAt(outputs: string): number | undefined {
  const times = (JSON.parse(outputs) as { consumingBlockTimestamp?: number }[]).map(
    ({ consumingBlockTimestamp }) => consumingBlockTimestamp,
  );
  // What has no outputs is settled by nothing that could be seen.
  return times.length > 0 && times.every((time) => time !== undefined) ? Math.max(...times) : undefined;
}

export const transactionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}',
    summary: 'Get a transaction',
    description: 'One transaction of a primary network chain, with all outputs that it consumed and emitted.',
    parameters: transactionArguments,
    document: getTransaction,
    reply: ({ transaction }) =>
      transaction &&
      `${transaction.json.slice(0, -1)},"consumedUtxos":${transaction.consumedUtxos.json},"emittedUtxos":${transaction.emittedUtxos.json}}`,
    missing: ({ network, txHash }, { blockchainId }) =>
      `transaction ${txHash} is not indexed for ${blockchainId} of ${network}`,
    dataOf: ofNetwork,
    settledAt: ({ transaction }) => (transaction ? spentAt(transaction.emittedUtxos.json) : undefined),
    response: {
      description: 'The transaction.',
      schema: ref('Transaction'),
      components: { ...utxoSchemas, ...transactionSchemas },
      example: transactionExample,
    },
  }),
];
