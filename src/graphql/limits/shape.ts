import { Kind, visit, type DocumentNode, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from './fragments.js';

/** What limits compare of a document whatever its variables are. */
export interface Shape {
  aliases: number;
  /** Deepest nesting of the operation's fields. */
  depth: number;
}

/** Aliases in a document, at any depth. */
export function countAliases(document: DocumentNode): number {
  let aliases = 0;
  visit(document, {
    Field: ({ alias }) => {
      if (alias) aliases += 1;
    },
  });
  return aliases;
}

/**
 * Deepest nesting of an operation's fields, through its fragments: `{ a { b } }` is 2. Introspection is left
 * out: the query of GraphiQL is 15 deep, and graphql-js bounds its nesting (MaxIntrospectionDepthRule).
 *
 * @param document validated: its fragments exist and form no cycle
 */
export function measureDepth(document: DocumentNode, operation: OperationDefinitionNode): number {
  const fragments = fragmentsOf(document);
  // A fragment is measured once, however often it is spread: spreads of spreads double at every level.
  const measured = new Map<SelectionSetNode, number>();
  const depthOf = (selectionSet: SelectionSetNode): number => {
    const known = measured.get(selectionSet);
    if (known !== undefined) return known;
    const depths = selectionSet.selections.map((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        return fragment ? depthOf(fragment.selectionSet) : 0;
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet);
      if (selection.name.value.startsWith('__')) return 0;
      return 1 + (selection.selectionSet ? depthOf(selection.selectionSet) : 0);
    });
    const depth = Math.max(0, ...depths);
    measured.set(selectionSet, depth);
    return depth;
  };
  return depthOf(operation.selectionSet);
}
