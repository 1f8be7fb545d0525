import { getArgumentValues, type FieldNode, type GraphQLField } from 'graphql';
import { connectionLimits } from '../../paging/page-request.js';
import type { CostExtension } from './cost-extension.js';

/** The page that contains a selection. */
export interface Page {
  rows: number;
  scalarRows: number;
  /** Lengths of the lists among its field's arguments, by argument. */
  lengths: Readonly<Record<string, number>>;
}

export const NO_PAGE: Page = { rows: 1, scalarRows: 1, lengths: {} };

/** The page that a connection's field requests; for any other field one row. */
export function pageOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): Page {
  if (!field.args.some(({ name }) => name === 'first')) return NO_PAGE;
  const { first, last, ...others } = argumentsOf(field, node, variables);
  const lists = Object.entries(others).flatMap(([name, value]): [string, number][] =>
    Array.isArray(value) ? [[name, value.length]] : [],
  );
  const sizes = [first, last].filter((size) => typeof size === 'number');
  const { defaultPageSize = connectionLimits.default, scalarRows = 1 } = field.extensions as CostExtension;
  // A page of no rows reads one, to find out whether there are any.
  const rows = sizes.length > 0 ? Math.max(1, ...sizes) : defaultPageSize;
  return { rows, scalarRows, lengths: Object.fromEntries(lists) };
}

/** The values of a field's arguments; none if they do not fit, which execution refuses. */
export function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, variables);
  } catch {
    return {};
  }
}
