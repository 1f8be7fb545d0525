import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Whether it has figures, which stand below each other by their digits. */
  isFigure?: boolean;
}

/** A table that scrolls by itself where it is wider than the page. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  none = 'Nothing is indexed here.',
}: {
  /** For those who cannot see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What is said where there is no row. */
  none?: string;
}) {
  if (rows.length === 0) return <p>{none}</p>;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isFigure }) => (
              <th scope="col" class={isFigure ? 'figure' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ cell, isFigure }) => (
                <td class={isFigure ? 'figure' : undefined}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
