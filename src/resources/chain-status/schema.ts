import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import type { CostExtension } from '../../graphql/limits/cost-extension.js';
import { chainFields } from '../primary-chain/schema.js';
import { chainStatusArguments } from './arguments.js';
import { chainStatusFields, type ChainStatusNode } from './fields.js';
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
