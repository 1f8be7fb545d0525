import type { ValueOf } from '../../lists/list.js';

/**
 * SQL of the FROM item `owner`, the row ids of a list's `addresses` on its `network`. The fence (OFFSET 0)
 * makes the planner find them before it plans the reads for each. Otherwise it read all addresses, because it
 * ignores anything under a hundredth of a statement's cost.
 */
export const ownersOf = (value: ValueOf) => `(
  SELECT id FROM address WHERE network = ${value('network')} AND address = ANY(${value('addresses')}) OFFSET 0) owner`;
