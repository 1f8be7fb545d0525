import { printable, shorten } from '../errors.js';
import type { Finding, Outcome } from './finding.js';

/** Longest value that is shown, characters. */
const SHOWN_VALUE = 300;

export const isSound = ({ differences, problem }: Outcome): boolean => differences === 0 && problem === null;

/** A table of what was compared, and then the first differences with both values. */
export function report(outcomes: readonly Outcome[]): string {
  const rows = [
    ['what', 'compared', 'result', 'with'],
    ...outcomes.map((one) => [one.name, count(one.compared), resultOf(one), one.by]),
  ];
  const widths = [0, 1, 2].map((index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map(([what = '', compared = '', result = '', by = '']) =>
    [what.padEnd(widths[0] ?? 0), compared.padStart(widths[1] ?? 0), result.padEnd(widths[2] ?? 0), by].join(
      '  ',
    ),
  );
  const details = outcomes.flatMap(detailsOf);
  return `${[...lines, ...(details.length > 0 ? ['', ...details] : []), '', summary(outcomes)].join('\n')}\n`;
}

function resultOf({ differences, problem, missing, gaps }: Outcome): string {
  if (problem !== null) return 'not compared';
  if (gaps.length > 0) return 'see below';
  if (differences === 0 && missing > 0) return 'no difference except gaps';
  return differences === 0
    ? 'no difference'
    : `${count(differences)} ${differences === 1 ? 'differs' : 'differ'}`;
}

function detailsOf({ name, problem, differences, findings, missing, gaps }: Outcome): string[] {
  if (problem !== null) return [`${name}: ${printable(problem)}`];
  const more = differences - findings.length;
  return [
    ...findings.map((finding) => `${name}: ${inWords(finding)}`),
    ...(more > 0 ? [`${name}: and ${count(more)} more`] : []),
    ...(missing > 0
      ? [
          `${name}: ${count(missing)} ${missing === 1 ? 'value is' : 'values are'} missing or old because of gaps`,
        ]
      : []),
    ...gaps.map((line) => `${name}: ${printable(line)}`),
  ];
}

function inWords({ row, column, stored, proved }: Finding): string {
  const of = column === null ? '' : `, ${column}`;
  return `${show(row)}${of}: stored ${show(stored)}, should be ${show(proved)}`;
}

function summary(outcomes: readonly Outcome[]): string {
  const wrong = outcomes.filter(({ differences }) => differences > 0).map(({ name }) => name);
  const open = outcomes.filter(({ problem }) => problem !== null).map(({ name }) => name);
  const parts = [
    ...(wrong.length > 0 ? [`differences in ${wrong.join(', ')}`] : []),
    ...(open.length > 0 ? [`not compared: ${open.join(', ')}`] : []),
  ];
  const gaps = outcomes.filter((one) => one.gaps.length > 0).reduce((sum, { compared }) => sum + compared, 0);
  const known = gaps === 0 ? '' : `; ${count(gaps)} ${gaps === 1 ? 'gap is' : 'gaps are'} known`;
  return `${parts.length > 0 ? parts.join('; ') : 'no difference was found'}${known}`;
}

const show = (text: string) => printable(shorten(text, SHOWN_VALUE));
const count = (value: number) => value.toLocaleString('en');
