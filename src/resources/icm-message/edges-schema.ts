import { icmMessageId } from '../../avalanche/icm.js';
import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import type { CostExtension } from '../../graphql/limits/cost-extension.js';
import { sqlOf } from '../../graphql/sql-source.js';
import { chainOfBothNames } from '../chain/list.js';
import { loadChain } from '../chain/loaders.js';
import type { ChainNode } from '../chain/row.js';
import { addressOn, toEvmAddressNode, type EvmAddressNode } from '../internal-tx/evm-address-schema.js';
import { icmDetails } from './details.js';
import type { icmMessageSource, IcmMessageNode } from './fields.js';
import { icmMessageLoader } from './loaders.js';

/** Most receipts that a messenger contract puts into one message by itself. */
const RECEIPTS = 5;

type End = 'source' | 'destination';

/** Registers the fields that lead from a message to other objects. */
export function registerIcmEdges(builder: Builder): void {
  builder.objectFields('IcmMessage', (t) => ({
    sourceChain: t.field({
      type: 'Chain',
      nullable: true,
      description: 'The source chain; null when that chain is not indexed.',
      extensions: endSource('source'),
      resolve: (message, _args, context) => loadEnd(context, message, 'source'),
    }),
    destinationChain: t.field({
      type: 'Chain',
      nullable: true,
      description: 'The destination chain; null when that chain is not indexed.',
      extensions: endSource('destination'),
      resolve: (message, _args, context) => loadEnd(context, message, 'destination'),
    }),
    fromEvmAddress: t.field({
      type: 'EvmAddress',
      nullable: true,
      description: 'The sender on the source chain; null when that chain is not indexed.',
      extensions: partySource('source', 'from'),
      resolve: (message, _args, context) => loadParty(context, message, 'source'),
    }),
    toEvmAddress: t.field({
      type: 'EvmAddress',
      nullable: true,
      description: 'The recipient on the destination chain; null when that chain is not indexed.',
      extensions: partySource('destination', 'to'),
      resolve: (message, _args, context) => loadParty(context, message, 'destination'),
    }),
    receipts: t.field({
      type: ['IcmReceipt'],
      description: `${icmDetails.receipts.description}.`,
      resolve: (message) => message.receipts.map((receipt) => ({ ...receipt, carrier: message })),
    }),
  }));

  builder.objectField('IcmReceipt', 'message', (t) =>
    t.field({
      type: 'IcmMessage',
      nullable: true,
      description: `The received message, which the same messenger contract sent in the other direction; null when it is not indexed. The fields selected of it count ${RECEIPTS} times towards maxCost.`,
      extensions: { times: RECEIPTS } satisfies CostExtension,
      resolve: ({ carrier, receivedMessageNonce }, _args, context) => {
        const messageId = icmMessageId({
          contract: carrier.icmContractAddress,
          source: carrier.destinationBlockchainId,
          destination: carrier.sourceBlockchainId,
          nonce: receivedMessageNonce,
        });
        return icmMessageLoader(context).load({ network: carrier.network, messageId });
      },
    }),
  );
}

type Keys = typeof icmMessageSource.keys;

const namesOf = (end: End, keys: Keys) => ({
  blockchainId: keys[`${end}BlockchainId`],
  evmChainId: keys[`${end}EvmChainId`],
});

const endSource = (end: End) =>
  sqlOf({ row: { find: chainOfBothNames, of: (keys: Keys) => namesOf(end, keys) } });

const partySource = (end: End, party: 'from' | 'to') =>
  sqlOf({
    row: {
      find: addressOn(chainOfBothNames),
      of: (keys: Keys) => ({ ...namesOf(end, keys), address: keys[party] }),
    },
  });

function loadEnd(context: Context, message: IcmMessageNode, end: End): Promise<ChainNode | null> {
  return loadChain(context, {
    blockchainId: message[`${end}BlockchainId`],
    evmChainId: message[`${end}EvmChainId`],
  });
}

async function loadParty(
  context: Context,
  message: IcmMessageNode,
  end: End,
): Promise<EvmAddressNode | null> {
  const chain = await loadEnd(context, message, end);
  return chain && toEvmAddressNode(chain, end === 'source' ? message.from : message.to);
}
