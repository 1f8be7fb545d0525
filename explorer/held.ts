import { useReducer, useRef } from 'preact/hooks';

/** Rows that newer ones push out, as they are shown. */
export interface Waiting<Row> {
  shown: readonly Row[];
  /** How many newer ones are not shown yet. */
  newer: number;
  /** Shows them. */
  show: () => void;
}

/**
 * Holds newer rows back while the reader looks at those that are there, so that these do not move.
 *
 * @param rows the same array while they are the same
 * @param isWatched whether the reader looks at them, asked when there are other ones
 */
export function useHeld<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  isWatched: () => boolean,
): Waiting<Row> {
  const held = useRef(rows);
  const last = useRef(rows);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  if (last.current !== rows) {
    last.current = rows;
    if (!isWatched()) held.current = rows;
  }
  const known = new Set(held.current.map(keyOf));
  return {
    shown: held.current,
    newer: rows.filter((row) => !known.has(keyOf(row))).length,
    show: () => {
      held.current = last.current;
      redraw(undefined);
    },
  };
}

/** Whether the pointer, the focus or selected text is in an element. */
export function isUsed(element: Element | null): boolean {
  if (!element) return false;
  const selection = getSelection();
  const isSelected = selection?.isCollapsed === false && selection.containsNode(element, true);
  return isSelected || element.matches(':hover, :focus-within');
}
