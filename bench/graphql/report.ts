import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { format } from 'prettier';
import { plotBars } from '../harness/plot.js';
import { median, spread } from '../harness/statistics.js';

/** One round of one peer; times are microseconds of processor a request, p50 and p99 milliseconds. */
export interface Round {
  rate: number;
  p50: number;
  p99: number;
  node: number;
  server: number;
  generator: number;
}

export interface Measured {
  name: string;
  rounds: Round[];
  /** A request. */
  statements: number;
}

export interface Result {
  name: string;
  measured: readonly Measured[];
}

const GOALS = { node: 2.5, rate: 2.5, p99: 0.7 };
const page = new URL('../../docs/performance.md', import.meta.url);
const of = ({ rounds }: Measured, what: keyof Round) => rounds.map((round) => round[what]);
/** Medians of the ratios of rounds that stand beside each other. */
const ratios = (a: Measured, b: Measured, what: keyof Round) =>
  of(a, what).map((value, round) => value / (b.rounds[round]?.[what] ?? NaN));

export function print({ name, measured }: Result): void {
  const [ours] = measured;
  console.log(`\n${name}`);
  for (const each of measured) {
    const text = (what: keyof Round, digits = 0) => median(of(each, what)).toFixed(digits);
    console.log(
      `  ${each.name.padEnd(12)} ${text('rate')}/s, p50 ${text('p50', 1)} ms, p99 ${text('p99', 1)} ms; processor a request: Node ${text('node')} µs, PostgreSQL ${text('server')} µs, generator ${text('generator')} µs${Number.isNaN(each.statements) ? '' : `; ${each.statements} statements`}`,
    );
    if (ours && each !== ours)
      console.log(
        `    ours: throughput ${spread(ratios(ours, each, 'rate'))} times, Node's time 1 in ${spread(ratios(each, ours, 'node'))}, p99 ${spread(ratios(ours, each, 'p99'))} times`,
      );
  }
}

/** Writes the table and its plot. */
export async function write(results: readonly Result[], database: string): Promise<void> {
  const text = `# Performance

What \`npm run bench -- graphql\` wrote on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), PostgreSQL ${database},
Node ${process.version.slice(1)}; the sample, a pool of 4, 16 connections, one request at a time on each, rounds interleaved, medians. The
load generator and PostgreSQL run on the same machine. PostGraphile 5 has the same tables, and runs on a Node of its own.
Answers were compared first.

![Throughput, ours to PostGraphile's](performance.svg)

${table(results)}

Goals: throughput of ours ÷ PostGraphile's at least ${GOALS.rate}, Node's processor time of PostGraphile's ÷ ours at least ${GOALS.node}, p99 of
ours ÷ PostGraphile's at most ${GOALS.p99}.

${ratioTable(results)}
`;
  await writeFile(page, await format(text, { parser: 'markdown' }));
  await writeFile(new URL('performance.svg', page), plot(results));
  console.log('\nwritten to docs/performance.md and docs/performance.svg');
}

function table(results: readonly Result[]): string {
  const rows = results.flatMap(({ name, measured }) =>
    measured.map((each, place) => {
      const text = (what: keyof Round, digits = 0) => median(of(each, what)).toFixed(digits);
      return `| ${place === 0 ? name : ''} | ${each.name} | ${text('rate')} | ${text('p50', 1)} | ${text('p99', 1)} | ${text('node')} | ${text('server')} | ${each.statements} |`;
    }),
  );
  return [
    '| query | peer | requests a second | p50, ms | p99, ms | Node, µs a request | PostgreSQL, µs a request | statements |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function ratioTable(results: readonly Result[]): string {
  const rows = results.flatMap(({ name, measured: [ours, ...others] }) =>
    others.map((peer) => {
      if (!ours) return '';
      const values = [ratios(ours, peer, 'rate'), ratios(peer, ours, 'node'), ratios(ours, peer, 'p99')];
      return `| ${name} | ${peer.name} | ${values.map((each) => spread(each)).join(' | ')} |`;
    }),
  );
  return [
    '| query | against | throughput | Node’s processor time | p99 |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Bars of requests a second, a group for each query. */
function plot(results: readonly Result[]): string {
  return plotBars({
    title: 'requests a second',
    series: (results[0]?.measured ?? []).map(({ name }) => name),
    groups: results.map(({ name, measured }) => ({
      name,
      values: measured.map((each) => median(of(each, 'rate'))),
    })),
    text: (rate) => rate.toFixed(0),
  });
}
