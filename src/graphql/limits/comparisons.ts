import { Kind, visit } from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql';
import { AppError } from '../../errors.js';
import { fragmentsOf } from './fragments.js';

/**
 * Most comparisons that the check for overlapping fields may take. It compares every two fields of one key,
 * and every two fragments, in the same selection: for 2,000 tokens up to half a million times, a tenth of a
 * second. This many take up to 5 ms; documents that people write take some hundreds.
 */
const MOST_COMPARISONS = 5000;

/**
 * Refuses a document that selects the same fields so often that checking whether they can be merged takes
 * long.
 *
 * @throws AppError QUERY_TOO_COMPLEX
 */
export function boundComparisons(document: DocumentNode): void {
  const comparisons = new Comparisons(fragmentsOf(document));
  visit(document, {
    SelectionSet(node, _key, parent) {
      // Fields of inline fragments are compared with those around them.
      if ((parent as { kind?: Kind } | undefined)?.kind !== Kind.INLINE_FRAGMENT) comparisons.of([node]);
    },
  });
}

/** Counts what is compared in selections, and in those within. */
class Comparisons {
  private left = MOST_COMPARISONS;

  constructor(private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>) {}

  of(selectionSets: readonly SelectionSetNode[]): void {
    const fields = new Map<string, { times: number; within: SelectionSetNode[] }>();
    const spread = new Set<string>();
    const collect = (selection: SelectionNode): void => {
      this.spend(1);
      if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet.selections.forEach(collect);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value;
        if (spread.has(name)) return;
        spread.add(name);
        return this.fragments.get(name)?.selectionSet.selections.forEach(collect);
      }
      const key = (selection.alias ?? selection.name).value;
      const known = fields.get(key) ?? { times: 0, within: [] };
      // To compare two fields, graphql-js prints their arguments.
      this.spend(known.times * (1 + (selection.arguments?.length ?? 0)));
      known.times += 1;
      if (selection.selectionSet) known.within.push(selection.selectionSet);
      fields.set(key, known);
    };
    for (const { selections } of selectionSets) {
      selections.forEach(collect);
      const spreads = selections.filter(({ kind }) => kind === Kind.FRAGMENT_SPREAD).length;
      this.spend((spreads * (spreads - 1)) / 2);
    }
    for (const { within } of fields.values()) if (within.length > 1) this.of(within);
  }

  private spend(comparisons: number): void {
    this.left -= comparisons;
    if (this.left < 0)
      throw new AppError(
        'QUERY_TOO_COMPLEX',
        'The document selects the same fields too many times to be checked; select each field once',
      );
  }
}
