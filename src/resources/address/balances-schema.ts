import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import type { CostExtension } from '../../graphql/limits/cost-extension.js';
import { atPresent, presentOf } from '../../graphql/present.js';
import { parseJson } from '../../json.js';
import { chainBalancesArguments } from './arguments.js';
import {
  type directions,
  heldFields,
  heldKinds,
  publishedKinds,
  type ChainBalancesNode,
  type HeldKind,
  type HeldNode,
  type HeldRow,
} from './fields.js';
import { readChainBalances } from './store.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    ChainBalances: ChainBalancesNode;
    HeldAmount: HeldNode;
  }
  interface LeafTypes {
    AtomicDirection: Leaf<NonNullable<HeldNode['direction']>>;
  }
}

/** An address may have any number of assets; most have some. */
const COST = 20;

/** Registers what addresses have on a chain, by what can be done with it. */
export function registerChainBalances(builder: Builder): void {
  builder.enumType('AtomicDirection', {
    description: 'Which way an exported output goes, as the chain sees it whose balances they are.',
    values: {
      incoming: { description: 'Exported from the other chain, to be imported to this one.' },
      outgoing: { description: 'Exported from this chain, to be imported to the other one.' },
    } satisfies Record<(typeof directions)[number], object>,
  });
  builder.objectType('HeldAmount', {
    description: 'Unspent outputs of one asset of which the same can be done, as a sum.',
    fields: (t) => ({
      ...exposeFields(t, heldFields),
      direction: t.expose('direction', {
        type: 'AtomicDirection',
        nullable: true,
        description: 'Which way they go; null of outputs that are not in atomic memory.',
      }),
    }),
  });
  builder.objectType('ChainBalances', {
    description:
      'The unspent outputs of addresses that the UTXO list of a chain shows, each in exactly one of these lists of sums: one for each asset, in atomic memory one for each asset, other chain and direction; by assetId.',
    fields: (t) => ({
      json: t.field({ type: 'JsonText', description: 'As REST shows it.', resolve: publishedText }),
      ...Object.fromEntries(
        Object.entries(heldKinds).map(([kind, words]) => [
          kind,
          t.field({
            type: ['HeldAmount'],
            description: `Outputs ${words}. Empty if there are none.`,
            resolve: ({ rows }) => rows.filter((row) => row.kind === kind).map(toHeldNode),
          }),
        ]),
      ),
    }),
  });
  builder.queryField('chainBalances', (t) =>
    t.field({
      type: 'ChainBalances',
      description:
        'What addresses have on a chain, by what can be done with it at a time. Several addresses count as one owner. The outputs are always those that are unspent now; for the past see balanceHistory.',
      args: argumentRefs(t, chainBalancesArguments),
      extensions: { cost: COST } satisfies CostExtension,
      resolve: (_root, args, context) => {
        const { locksAt, ...query } = argumentsOf(chainBalancesArguments, args, context);
        const { at } = atPresent({ at: locksAt }, 'at', () => presentOf(context).moment);
        return readChainBalances(context.storage, { ...query, at: at as string });
      },
    }),
  );
}

const toHeldNode = ({ text, direction }: HeldRow): HeldNode =>
  Object.assign(parseJson(text) as HeldNode, { direction });

function publishedText({ chain, rows }: ChainBalancesNode): string {
  const textOf = ({ text, direction }: HeldRow) =>
    // Only the published balances of the P-chain say which way.
    chain === 'p' && direction ? `${text.slice(0, -1)},"status":"${direction}"}` : text;
  const listOf = (kind: HeldKind) =>
    rows
      .filter((row) => row.kind === kind)
      .map(textOf)
      .join(',');
  const members = Object.entries(publishedKinds[chain]).map(([name, kind]) => `"${name}":[${listOf(kind)}]`);
  return `{${members.join(',')}}`;
}
