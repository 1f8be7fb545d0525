import { judge } from '../harness/measures.js';
import { verdict } from '../harness/statistics.js';
import { tableOf as printTable } from '../harness/table.js';
import { SPARSE, type Measured } from './measure.js';

/** The largest accepted ratio of page 1 and page 10,000, the larger to the smaller. */
const FAR = 2;
/** The largest accepted ratio of a page with few matches to page 1 of many. */
const FEW = 20;

export const wishes =
  `pages 1 and 10,000 within ${FAR} times of one another, ` +
  `pages of ${SPARSE.join(', ')} matches within ${FEW} times page 1`;

const farRatio = ({ first, far }: Measured) => Math.max(first, far) / Math.min(first, far);
const fewRatio = ({ first, sparse }: Measured) => Math.max(...sparse) / first;

export function asWanted(measured: Measured): boolean {
  return farRatio(measured) <= FAR && fewRatio(measured) <= FEW;
}

/** The largest ratios in one sentence. */
export function summaryOf(list: string, rows: readonly Measured[]): string {
  const largest = (ratio: (measured: Measured) => number) => Math.max(...rows.map(ratio)).toFixed(2);
  const found =
    `pages 1 and 10,000 within ${largest(farRatio)} times of one another, ` +
    `few matches at most ${largest(fewRatio)} times page 1`;
  return `${found}: ${judge({ name: `filters of ${list}, blocks`, wanted: wishes, measured: found, isMet: rows.every(asWanted) })}`;
}

/** What was measured as a table that people and Markdown read. */
export function tableOf(rows: readonly Measured[]): string {
  const head = ['filters', 'matches', 'page 1', 'page 10,000', 'ratio', '0 matches', '1', '10', 'verdict'];
  const cells = rows.map((row) => [
    row.filters,
    row.matches.toLocaleString('en'),
    ...[row.first, row.far].map(String),
    farRatio(row).toFixed(2),
    ...row.sparse.map(String),
    verdict(asWanted(row)),
  ]);
  return printTable(head, cells);
}
