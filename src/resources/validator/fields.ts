import type { Network } from '../../avalanche/networks.js';
import { fieldsText, is, nodeId, type Fields, type NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';

/** The fields of a validator, over `validator v`. */
export const validatorFields = {
  nodeId: { sql: 'v.node_id', ...is(nodeId, 'Id of the node, NodeID-…') },
} satisfies Fields;

/** A validator as resolvers see it. */
export type ValidatorNode = NodeOf<typeof validatorFields> & {
  /** Row id, a decimal text. */
  rowId: string;
  network: Network;
};

/**
 * SQL of whether a stored transaction names the node; not EXISTS, for the reason in `src/resources/subnet/fields.ts`.
 */
export const isIndexed =
  'coalesce((SELECT true FROM validator_transaction l WHERE l.validator_row_id = v.id LIMIT 1), false)';

/** The source of a validator. */
export const validatorRows = {
  from: 'validator v',
  columns: { id: 'v.id::text', network: 'v.network', text: fieldsText(validatorFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<ValidatorNode>;

/** The keys of a validator's lists, over `validator v`. */
export const validatorKeys = { rowId: 'v.id', network: 'v.network', nodeId: 'v.node_id' };
