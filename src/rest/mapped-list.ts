import type { ArgumentValues } from '../arguments/argument.js';
import type { timeBounds } from '../arguments/common.js';
import { listReply } from './reply.js';
import { shapesText, type Shape } from './shape.js';

/** A connection of which a document selects the nodes. */
export interface NodesPage<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** A list reply of rows that REST has in another form than GraphQL. @param more see listReply */
export const mappedReply = <Node>(
  field: string,
  { nodes, pageInfo }: NodesPage<Node>,
  shape: Shape<Node>,
  more?: string,
): string => listReply(field, { json: shapesText(shape, nodes), pageInfo }, more);

/** Bounds of time under their names in GraphQL. */
export const boundsOf = ({
  startTimestamp,
  endTimestamp,
}: ArgumentValues<ReturnType<typeof timeBounds>>) => ({
  since: startTimestamp,
  until: endTimestamp,
});
