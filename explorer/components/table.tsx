import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Whether it has figures, which stand below each other by their digits. */
  isFigure?: boolean;
  /** Whether it takes the room of two in a card, also where a row has nothing there. */
  isDouble?: boolean;
}

/** How many columns fill the page; fewer would be far from each other. */
const FULL = 6;
/** How many are wider than a tablet. */
const MANY = 6;

/**
 * A table. Where it is narrower than a tablet each row is a card, whose lines have the titles of the columns;
 * where it is wider than the page it scrolls by itself.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  none = 'Nothing is indexed here.',
  isWide = false,
}: {
  /** For those who cannot see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What is said where there is no row. */
  none?: string;
  /** Whether its few columns are wider than a tablet. */
  isWide?: boolean;
}) {
  if (rows.length === 0) return <p class="empty">{none}</p>;
  const classOf = ({ isFigure, isDouble }: Column<Row>) =>
    isFigure ? 'figure' : isDouble ? 'double' : undefined;
  // Cards are no table for a screen reader unless the roles are written.
  return (
    <div class={columns.length < MANY && !isWide ? 'table' : 'table many'}>
      <div
        class={columns.length < FULL ? 'wide short' : 'wide'}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <table role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th role="columnheader" scope="col" class={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr role="row" key={keyOf(row)}>
                {columns.map((column) => (
                  <td role="cell" class={classOf(column)} data-title={column.title}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
