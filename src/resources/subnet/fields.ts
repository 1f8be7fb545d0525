import { fieldsText, id, is, type Fields, type NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import type { Network } from '../../avalanche/networks.js';

/** The fields of a subnet, over `subnet s`. */
export const subnetFields = {
  subnetId: {
    sql: 's.subnet_id',
    ...is(id, 'Id of the subnet, CB58: the hash of the transaction that created it'),
  },
} satisfies Fields;

/** A subnet as resolvers see it. */
export type SubnetNode = NodeOf<typeof subnetFields> & {
  /** Row id, a decimal text. */
  rowId: string;
  network: Network;
};

// Sub-selects with a limit are evaluated for one subnet after the other: for EXISTS the planner might read a whole
// table into memory. The collation is that of the indexes of those tables.
const named = [
  'subnet_transaction l WHERE l.subnet_row_id = s.id',
  'subnet_metric m WHERE m.network = s.network AND m.subnet_id = s.subnet_id COLLATE "default"',
  `chain c WHERE c.subnet_id = s.subnet_id COLLATE "default" AND c.is_testnet = (s.network = 'fuji')`,
];

/** SQL of whether any stored row names the subnet. */
export const isIndexed = `coalesce(${named.map((from) => `(SELECT true FROM ${from} LIMIT 1)`).join(', ')}, false)`;

/** The source of a subnet. */
export const subnetRows = {
  from: 'subnet s',
  columns: { id: 's.id::text', network: 's.network', text: fieldsText(subnetFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<SubnetNode>;

/** The keys of a subnet's lists, over `subnet s`. */
export const subnetKeys = { rowId: 's.id', network: 's.network', subnetId: 's.subnet_id' };
