import { digits, fieldsText, id, is, small, type Fields, type NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';
import type { Network } from '../../avalanche/networks.js';
import { l1ValidatorTable, stakeTotalTable, supplyTable } from '../../state/staking.js';
import { follows, notFollowed } from '../reference/present.js';

const total = stakeTotalTable.as('f');
const l1Validator = l1ValidatorTable.as('f');
const supply = supplyTable.as('f');
/** SQL of whether a row of the state is the subnet's. */
const ofSubnet = ({ network, subnetId }: Record<'network' | 'subnetId', string>) =>
  `${network} = s.network AND ${subnetId} = s.subnet_id COLLATE "default"`;

/** The fields of a subnet, over `subnet s`. */
export const subnetFields = {
  subnetId: {
    sql: 's.subnet_id',
    ...is(id, 'Id of the subnet, CB58: the hash of the transaction that created it'),
  },
  activeValidators: {
    sql: `CASE WHEN ${follows('s')} THEN
      coalesce((SELECT ${total.validators} FROM ${total.from} WHERE ${ofSubnet(total)}), 0)
      + (SELECT count(*) FROM ${l1Validator.from} WHERE ${ofSubnet(l1Validator)} AND ${l1Validator.endFee} > 0) END`,
    ...is(
      small,
      'Number of its validators after the newest stored block, without delegators; of an L1 those that pay for each second',
      notFollowed,
    ),
  },
  supply: {
    sql: `(SELECT ${supply.supply}::text FROM ${supply.from} WHERE ${follows('s')} AND ${ofSubnet(supply)})`,
    ...is(
      digits,
      'What exists of the asset that it stakes after the newest stored block, in its smallest unit: AVAX for the primary network. Rewards count from the start of a stake on',
      `for a subnet that does not pay rewards, and ${notFollowed}`,
    ),
  },
} satisfies Fields;

export type SubnetNode = NodeOf<typeof subnetFields> & {
  /** Row id, a decimal text. */
  rowId: string;
  network: Network;
};

// Sub-selects with a limit are evaluated for one subnet after the other: for EXISTS the planner might read a
// whole table into memory. The collation is that of the indexes of those tables.
const named = [
  'subnet_transaction l WHERE l.subnet_row_id = s.id',
  'subnet_metric m WHERE m.network = s.network AND m.subnet_id = s.subnet_id COLLATE "default"',
  `chain c WHERE c.subnet_id = s.subnet_id COLLATE "default" AND c.is_testnet = (s.network = 'fuji')`,
];

/** SQL of whether any stored row names the subnet. */
export const isIndexed = `coalesce(${named.map((from) => `(SELECT true FROM ${from} LIMIT 1)`).join(', ')}, false)`;

export const subnetRows = {
  from: 'subnet s',
  columns: { id: 's.id::text', network: 's.network', text: fieldsText(subnetFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<SubnetNode>;

export const subnetKeys = { rowId: 's.id', network: 's.network', subnetId: 's.subnet_id' };
