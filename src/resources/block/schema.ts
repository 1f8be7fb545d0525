import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField, rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { chainFields } from '../primary-chain/schema.js';
import { blockArguments, type BlockQuery } from './arguments.js';
import { blockFields, blockSource, type BlockNode } from './fields.js';
import {
  blockTransactionList,
  findBlocks,
  findBlocksByHash,
  findBlocksOf,
  findFollowing,
  findPrevious,
} from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Block: BlockNode;
  }
}

/** Registers the type Block, the query field block and Transaction.block. */
export function registerBlock(builder: Builder): void {
  builder.node('Block', {
    description:
      'A block of a primary network chain. A block is indexed only if at least one of its transactions is.',
    extensions: sqlOfType(blockSource),
    id: {
      description: 'Global id, made of the network, the chain and the number.',
      resolve: ({ network, chain, number }) => `${network}:${chain}:${number}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      const [, chain, number] = /^([pxc]):(\d{1,78})$/.exec(parts?.key ?? '') ?? [];
      if (!parts || !number) return null;
      return loadRow(context, findBlocks, {
        network: parts.network,
        chain: chain as BlockNode['chain'],
        number,
      });
    },
    fields: (t) => ({
      ...chainFields(t, {
        description: 'its chain',
        chainOf: ({ chain }) => chain,
        sql: { network: 't.network', chain: 't.chain' },
      }),
      ...exposeFields(t, blockFields),
    }),
  });
  builder.objectFields('Block', (t) => ({
    previous: rowField(t, {
      type: 'Block',
      description:
        'The previous indexed block of the chain; its number may be more than one lower. Null when there is none.',
      find: findPrevious,
      of: ({ rowId }) => ({ transactionId: rowId }),
    }),
    next: rowField(t, {
      type: 'Block',
      description:
        'The next indexed block of the chain; its number may be more than one higher. Null when there is none.',
      find: findFollowing,
      of: ({ rowId }) => ({ transactionId: rowId }),
    }),
  }));
  addListField(builder, 'Block', 'transactions', {
    type: 'TransactionConnection',
    description:
      'The indexed transactions of the block, by txHash, descending: the order of Query.transactions.',
    list: blockTransactionList,
    of: {
      network: ({ network }) => network,
      chain: ({ chain }) => chain,
      number: ({ number }) => number,
    },
  });

  addRowField(builder, 'Transaction', 'block', {
    type: 'Block',
    description:
      'Its block (blockNumber); null where that is unknown, for example before the X-chain had blocks.',
    find: findBlocksOf,
    of: ({ rowId }) => ({ transactionId: rowId }),
    needs: 'blockNumber',
  });
  registerQuery(builder);
}

/** The key of a block that is found by number. */
function numbered({ network, blockchainId, number }: BlockQuery) {
  if (number === null) throw new Error('a block by its hash is not for one statement');
  return { network, chain: blockchainId, number };
}

function registerQuery(builder: Builder): void {
  builder.queryField('block', (t) =>
    t.field({
      type: 'Block',
      nullable: true,
      description: 'One block by its number or its hash; null when it is not indexed.',
      args: argumentRefs(t, blockArguments),
      extensions: sqlOf({ row: { find: findBlocks, arguments: blockArguments, keyOf: numbered } }),
      resolve: (_root, args, context) => {
        const query = argumentsOf(blockArguments, args, context);
        const { network, blockchainId: chain, hash } = query;
        if (hash === null) return loadRow(context, findBlocks, numbered(query));
        return loadRow(context, findBlocksByHash, { network, chain, hash });
      },
    }),
  );
}
