import { priorities } from '../../avalanche/chain/staker-order.js';
import { ZERO_ID } from '../../avalanche/codec/ids.js';
import type { Network } from '../../avalanche/networks.js';
import { stakerTable } from '../../state/staking.js';
import { follows, notFollowed } from '../reference/present.js';
import { boolean, digits, fieldsText, is, nodeId, whole } from '../../fields/field.js';
import type { Fields, NodeOf } from '../../fields/field.js';
import { nodeWith } from '../../fields/node.js';
import type { NodeSource } from '../../lists/list.js';

const staker = stakerTable.as('f');
/** SQL of the stakes with a node on the primary network. */
const staking = `${staker.network} = v.network AND ${staker.nodeId} = v.node_id COLLATE "default"
  AND ${staker.subnetId} = '${ZERO_ID}'`;
/** SQL of something of its own stake. */
const own = (what: string) =>
  `(SELECT ${what} FROM ${staker.from} WHERE ${staking} AND ${staker.priority} = ${priorities.validator})`;

/** The fields of a validator, over `validator v`. */
export const validatorFields = {
  nodeId: { sql: 'v.node_id', ...is(nodeId, 'Id of the node, NodeID-…') },
  isActive: {
    sql: `CASE WHEN ${follows('v')} THEN ${own('count(*) > 0')} END`,
    ...is(boolean, 'Whether it validates the primary network after the newest stored block', notFollowed),
  },
  weight: {
    sql: `CASE WHEN ${follows('v')}
      THEN coalesce(${own(`max(${staker.weight} + ${staker.delegatedWeight})`)}, 0) END`,
    ...is(
      whole,
      'What it stakes on the primary network then, with its delegators, nAVAX; 0 when it does not',
      notFollowed,
    ),
  },
  potentialReward: {
    sql: `CASE WHEN ${follows('v')} THEN ${own(`max(${staker.potentialReward})::text`)} END`,
    ...is(
      digits,
      'What its own stake on the primary network is paid if it is rewarded, nAVAX, without what it earns with its delegators',
      `when it does not validate, and ${notFollowed}`,
    ),
  },
} satisfies Fields;

export type ValidatorNode = NodeOf<typeof validatorFields> & {
  /** Row id, a decimal text. */
  rowId: string;
  network: Network;
};

/**
 * SQL of whether a stored transaction names the node; not EXISTS, for the reason in
 * `src/resources/subnet/fields.ts`.
 */
export const isIndexed =
  'coalesce((SELECT true FROM validator_transaction l WHERE l.validator_row_id = v.id LIMIT 1), false)';

export const validatorRows = {
  from: 'validator v',
  columns: { id: 'v.id::text', network: 'v.network', text: fieldsText(validatorFields) },
  toNode: nodeWith('network'),
} satisfies NodeSource<ValidatorNode>;

export const validatorKeys = { rowId: 'v.id', network: 'v.network', nodeId: 'v.node_id' };
