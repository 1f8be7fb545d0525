import type { ValueOf } from '../../lists/list.js';

/**
 * SQL of the FROM item `owner`, the row ids of a list's `addresses` on its `network`. The fence has them found before what the
 * list reads for each is planned: beside that the planner took reading all addresses for as good, as anything under a
 * hundredth of a statement's cost is to it.
 */
export const ownersOf = (value: ValueOf) => `(
  SELECT id FROM address WHERE network = ${value('network')} AND address = ANY(${value('addresses')}) OFFSET 0) owner`;
