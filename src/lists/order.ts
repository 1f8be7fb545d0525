import type { ListOrder } from '../paging/keyset.js';
import type { Order } from './list.js';

/**
 * The order of a list by columns of one table, which also has the rows of its cursors.
 *
 * @param alias of the table in the list
 * @param more `name`: part of the statements' names, if a list has several orders; for the others see Order
 */
export function sortedBy(
  alias: string,
  direction: ListOrder,
  columns: readonly string[],
  { name = '', moves = [], resorted }: Partial<Pick<Order, 'name' | 'moves' | 'resorted'>> = {},
): Order & Required<Pick<Order, 'position'>> {
  const position = (of: string) => columns.map((column) => `${of}.${column}`);
  return { name, direction, moves, columns: position(alias), position, ...(resorted && { resorted }) };
}
