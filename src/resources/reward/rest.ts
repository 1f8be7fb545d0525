import { objectSchema } from '../../fields/object-schema.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { ofNetwork } from '../../rest/route.js';
import { assetSchemas, avaxExample } from '../asset/fields.js';
import { rewardArguments } from './arguments.js';
import { historicalRewardFields } from './details.js';
import { publishedPendingFields } from './fields.js';

const { network, addresses, nodeIds, sortOrder } = rewardArguments;
const parameters = { network, addresses, nodeIds, sortOrder, ...pageArguments };

export const rewardRoutes = [
  defineListRoute({
    operation: 'ListHistoricalRewards',
    path: '/v1/networks/{network}/rewards',
    summary: 'List historical rewards',
    description:
      'Rewards that were paid to addresses, or for stakes with nodes, one for each output; newest first unless sortOrder says otherwise. No prices are known: historicalPrice is always left out.',
    parameters,
    dataOf: ofNetwork,
    field: 'historicalRewards',
    rows: {
      name: 'historicalRewards',
      words: 'rewards',
      schema: 'HistoricalReward',
      page: 'HistoricalRewardPage',
    },
    schemas: {
      ...assetSchemas,
      HistoricalReward: objectSchema('A reward that was paid.', historicalRewardFields),
    },
    // As in the sample.
    example: {
      historicalRewards: [
        {
          addresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'],
          txHash: '28Zj5Cad3aWwPHNUmhrzkrMi1rTqYkrrMfrMb3Y1U8qUGEc4N7',
          amountStaked: '84393447073',
          nodeId: 'NodeID-7VqBscvffaYS2emeYEVJQqQfyL6a5afyF',
          startTimestamp: 1786847167,
          endTimestamp: 1788104006,
          rewardType: 'DELEGATOR',
          utxoId: 'YQZUmt9eaCnQR8sZimW2Wr9KoPadEEJPN23JZ59JaFEM86pMd',
          outputIndex: 2,
          reward: { ...avaxExample, amount: '258311052' },
          rewardTxHash: 'Cm3xd46FWbubtJfJyxKo81QEDxrpcY4SFybKx6u1MdmBW2eY5',
        },
      ],
    },
  }),
  defineListRoute({
    operation: 'ListPendingRewards',
    path: '/v1/networks/{network}/rewards:listPending',
    summary: 'List pending rewards',
    description:
      'Rewards of the stakes of now on the primary network, paid to addresses or for stakes with nodes; the newest stakes first unless sortOrder says otherwise.',
    parameters,
    field: 'pendingRewards',
    rows: { name: 'pendingRewards', words: 'rewards', schema: 'PendingReward', page: 'PendingRewardPage' },
    schemas: {
      ...assetSchemas,
      PendingReward: objectSchema('A reward that is paid at the end of a stake.', publishedPendingFields),
    },
    // As in the sample.
    example: {
      pendingRewards: [
        {
          addresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'],
          txHash: '2tDsXd6HNTxa4i2EieBB6JM1Qad96aPRJfRHkdCLWXnoPxHaWg',
          amountStaked: '6682021360',
          nodeId: 'NodeID-HhYN818781SvNUVENccUhmAACoKLAkgqk',
          startTimestamp: 1791635544,
          endTimestamp: 1793449944,
          rewardType: 'DELEGATOR',
          progress: 96,
          estimatedReward: { ...avaxExample, amount: '30755605' },
        },
      ],
    },
  }),
];
