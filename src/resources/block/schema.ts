import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { addListField } from '../../graphql/list-field.js';
import { addRowField, rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { chainFields } from '../primary-chain/schema.js';
import { findValidators } from '../validator/list.js';
import { blockArguments, blockListArguments, chainOfBlocks, type BlockQuery } from './arguments.js';
import {
  blockContents,
  blockFields,
  blockSource,
  blockTypes,
  type BlockNode,
  type BlockType,
} from './fields.js';
import {
  blockList,
  blockTransactionList,
  findBlockContents,
  findBlocks,
  findBlocksByHash,
  findBlocksOf,
  findChildren,
  findFollowing,
  findParents,
  findPrevious,
} from './list.js';
import { knowsProposers } from './store.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Block: BlockNode;
    BlockConnection: ConnectionSource;
  }
  interface LeafTypes {
    BlockType: Leaf<BlockType>;
  }
}

const { txHashes: contents } = blockContents;

const types: Record<BlockType, string> = {
  proposal: 'Proposes a transaction of the P-chain, which the next block commits or aborts.',
  commit: 'Commits the proposal of the block before it.',
  abort: 'Aborts the proposal of the block before it.',
  standard: 'Has transactions that take effect at once, or none.',
  atomic: 'Has one transaction of the P-chain between chains; only before Apricot 5.',
};

/** Registers the type Block, the query fields block and blocks, and Transaction.block. */
export function registerBlock(builder: Builder): void {
  builder.enumType('BlockType', {
    description: 'What a block of the P-chain or X-chain does. All blocks of the X-chain are standard ones.',
    values: Object.fromEntries(blockTypes.map((name) => [name, { description: types[name] }])),
  });
  builder.node('Block', {
    description:
      'A block of a primary network chain. Where the chain is followed all blocks of the P-chain and X-chain are indexed, and those of the C-chain that have atomic transactions: in a database that was followed by a version without them, once moraine follow --again has stored them. Of imported transactions those that they name.',
    extensions: sqlOfType(blockSource),
    id: {
      description: 'Global id, made of the network, the chain and the number.',
      resolve: ({ network, chain, blockNumber }) => `${network}:${chain}:${blockNumber}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      const [, chain, blockNumber] = /^([pxc]):(\d{1,78})$/.exec(parts?.key ?? '') ?? [];
      if (!parts || !blockNumber) return null;
      return loadRow(context, findBlocks, {
        network: parts.network,
        chain: chain as BlockNode['chain'],
        blockNumber,
      });
    },
    fields: (t) => ({
      ...chainFields(t, {
        description: 'its chain',
        chainOf: ({ chain }) => chain,
        sql: { network: 'b.network', chain: 'b.chain' },
      }),
      ...exposeFields(t, blockFields),
      txHashes: t.stringList({
        description: `${contents.description}.`,
        extensions: sqlOf({ value: { form: contents.kind.form, sql: contents.sql } }),
        resolve: async (block, _args, context) =>
          (await loadRow(context, findBlockContents, near(block)))?.txHashes ?? [],
      }),
    }),
  });
  registerConnection(builder, 'Block', 'blocks');
  registerNeighbours(builder);
  addListField(builder, 'Block', 'transactions', {
    type: 'TransactionConnection',
    description:
      'The indexed transactions of the block, the last of it first; where the position is unknown, by txHash, descending: the order of Query.transactions.',
    list: blockTransactionList,
    of: {
      network: ({ network }) => network,
      chain: ({ chain }) => chain,
      number: ({ blockNumber }) => blockNumber,
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

const near = ({ network, chain, blockNumber }: BlockNode) => ({ network, chain, blockNumber });

function registerNeighbours(builder: Builder): void {
  builder.objectFields('Block', (t) => ({
    parent: rowField(t, {
      type: 'Block',
      description: 'The block right before it on its chain; null when that is not indexed.',
      find: findParents,
      of: near,
    }),
    child: rowField(t, {
      type: 'Block',
      description: 'The block right after it on its chain; null when that is not indexed.',
      find: findChildren,
      of: near,
    }),
    previous: rowField(t, {
      type: 'Block',
      description:
        'The previous indexed block of the chain; its number may be more than one lower. Null when there is none.',
      find: findPrevious,
      of: near,
    }),
    next: rowField(t, {
      type: 'Block',
      description:
        'The next indexed block of the chain; its number may be more than one higher. Null when there is none.',
      find: findFollowing,
      of: near,
    }),
    proposer: rowField(t, {
      type: 'Validator',
      description:
        'The node that proposed the block (proposerNodeId); null where that is null, and when no indexed P-chain transaction names the node.',
      find: findValidators,
      of: ({ network, proposerNodeId }) => ({ network, nodeId: proposerNodeId }),
    }),
  }));
}

/** The key of a block that is found by number. */
function numbered({ network, blockchainId, number }: BlockQuery) {
  if (number === null) throw new Error('a block by its hash is not for one statement');
  return { network, chain: blockchainId, blockNumber: number };
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
  builder.queryField('knowsProposers', (t) =>
    t.boolean({
      description:
        'Whether the proposer of any indexed block of a chain is known (proposerNodeId). Only nodes with an index of blocks say it; where this is false, blocks(proposer:) is empty for every node.',
      args: argumentRefs(t, chainOfBlocks),
      resolve: (_root, args, context) => {
        const { network, blockchainId } = argumentsOf(chainOfBlocks, args, context);
        return knowsProposers(context.storage, network, blockchainId);
      },
    }),
  );
  addListField(builder, 'Query', 'blocks', {
    type: 'BlockConnection',
    description:
      'The indexed blocks of a chain, newest first: by number, descending. Numbers above 68719476735, which no chain has, are not listed.',
    arguments: blockListArguments,
    list: blockList,
  });
}
