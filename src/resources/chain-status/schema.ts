import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { addListField } from '../../graphql/list-field.js';
import type { CostExtension } from '../../graphql/limits/cost-extension.js';
import { chainFields } from '../primary-chain/schema.js';
import { NEWEST_FIRST } from '../transaction/arguments.js';
import { chainStatusArguments } from './arguments.js';
import { chainStatusFields, type ChainStatusNode } from './fields.js';
import { blocksOfChains, transactionsOfChains } from './list.js';
import { chainStatusStatement, readChainStatus } from './store.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    PrimaryChainStatus: ChainStatusNode;
  }
}

/** Chains of the primary networks: three of two. The field reads the newest rows of each. */
const CHAINS = 6;

export function registerChainStatus(builder: Builder): void {
  builder.objectType('PrimaryChainStatus', {
    description: 'How new the stored data of a primary network chain are.',
    fields: (t) => ({
      ...chainFields(t, {
        description: 'the chain',
        chainOf: ({ chain }) => chain,
        sql: { network: 'ledger.network', chain: 'ledger.chain' },
      }),
      ...exposeFields(t, chainStatusFields),
    }),
  });
  registerNewest(builder);
  builder.queryField('chainStatus', (t) =>
    t.field({
      type: ['PrimaryChainStatus'],
      description:
        'The newest stored block of each primary network chain that has data, is followed, is left out by a follower in part, or for whose node one waits: P, X and C of mainnet, then of fuji, at most six. One read of the database, whatever is selected.',
      args: argumentRefs(t, chainStatusArguments),
      extensions: { cost: CHAINS } satisfies CostExtension,
      resolve: async (_root, args, context) => {
        const { network } = argumentsOf(chainStatusArguments, args, context);
        const all = await readChainStatus(() => context.storage.read(chainStatusStatement, []));
        return network === null ? all : all.filter((each) => each.network === network);
      },
    }),
  );
}

/** What was stored last of a chain: one query, and each event of a stream, has all of a first page. */
function registerNewest(builder: Builder): void {
  const of = {
    network: ({ network }: ChainStatusNode) => network,
    chain: ({ chain }: ChainStatusNode) => chain,
  };
  addListField(builder, 'PrimaryChainStatus', 'blocks', {
    type: 'BlockConnection',
    description: 'The indexed blocks of the chain, newest first: those of Query.blocks.',
    list: blocksOfChains,
    of,
    times: CHAINS,
  });
  addListField(builder, 'PrimaryChainStatus', 'transactions', {
    type: 'TransactionConnection',
    description: `The transactions of the chain, ${NEWEST_FIRST}: those of Query.transactions.`,
    list: transactionsOfChains,
    of,
    times: CHAINS,
  });
}
