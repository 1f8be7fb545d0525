import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { plotBars } from '../harness/plot.js';
import { judge, noteSection } from '../harness/measures.js';
import { median, ratios, spread, verdict } from '../harness/statistics.js';

/** One round of one peer; times are microseconds of processor a request, p50 and p99 milliseconds. */
export interface Round {
  rate: number;
  p50: number;
  p99: number;
  node: number;
  server: number;
  generator: number;
}

/** The goal for ours compared with a peer. */
export interface Goals {
  /** Its Node's processor time a request ÷ ours, at least. */
  node: number;
  /** Our throughput ÷ its, at least. */
  rate: number;
  /** Our p99 ÷ its, at most. */
  p99: number;
}

export interface Measured {
  /** Of the peer. */
  name: string;
  goals: Goals;
  rounds: Round[];
  /** A request. */
  statements: number;
}

export interface Result {
  name: string;
  measured: readonly Measured[];
}

/** Compared with PostGraphile, where a question has none of its own. */
export const GOALS: Goals = { node: 2.8, rate: 2.3, p99: 0.6 };
/** The part of all processors from which on the machine counts as full: other programs run on it too. */
const FULL_MACHINE = 0.9;
const picture = new URL('../../docs/performance.svg', import.meta.url);
const of = ({ rounds }: Measured, what: keyof Round) => rounds.map((round) => round[what]);
/** Of rounds that follow each other. */
const compare = (a: Measured, b: Measured, what: keyof Round) => ratios(of(a, what), of(b, what));
/** Parts of all processors that a peer, PostgreSQL and the generator took together, round by round. */
const fullness = ({ rounds }: Measured) =>
  rounds.map(
    ({ rate, node, server, generator }) =>
      (rate * (node + server + generator)) / 1e6 / availableParallelism(),
  );
const percent = (part: number) => `${(100 * part).toFixed(0)} %`;

/** Ratios of ours to another peer's, and whether each reaches its goal. */
function goalsOf(
  ours: Measured,
  peer: Measured,
): { what: string; wanted: string; text: string; isMet: boolean }[] {
  const [rate, node, p99] = [
    compare(ours, peer, 'rate'),
    compare(peer, ours, 'node'),
    compare(ours, peer, 'p99'),
  ];
  const { goals } = peer;
  // A peer that should be several times as fast may run out of processors.
  const isFull = goals.rate > 1 && median(fullness(ours)) >= FULL_MACHINE;
  return [
    {
      what: `throughput ÷ ${peer.name}'s`,
      wanted: `at least ${goals.rate}${goals.rate > 1 ? ', or the machine is full' : ''}`,
      text: spread(rate),
      isMet: median(rate) >= goals.rate || isFull,
    },
    {
      what: `${peer.name}'s Node's time ÷ ours`,
      wanted: `at least ${goals.node}`,
      text: spread(node),
      isMet: median(node) >= goals.node,
    },
    {
      what: `p99 ÷ ${peer.name}'s`,
      wanted: `at most ${goals.p99}`,
      text: spread(p99),
      isMet: median(p99) <= goals.p99,
    },
  ];
}

export function print({ name, measured }: Result): void {
  const [ours] = measured;
  console.log(`\n${name}`);
  for (const each of measured) {
    const text = (what: keyof Round, digits = 0) => median(of(each, what)).toFixed(digits);
    console.log(
      `  ${each.name.padEnd(12)} ${text('rate')}/s, p50 ${text('p50', 1)} ms, p99 ${text('p99', 1)} ms; processor a request: Node ${text('node')} µs, PostgreSQL ${text('server')} µs, generator ${text('generator')} µs; ${percent(median(fullness(each)))} of the machine${Number.isNaN(each.statements) ? '' : `; ${each.statements} statements`}`,
    );
    if (ours && each !== ours) {
      const [rate, node, p99] = goalsOf(ours, each).map(
        ({ what, wanted, text, isMet }) =>
          `${text} (${judge({ name: `GraphQL, ${name}: ${what}`, wanted, measured: text, isMet })})`,
      );
      console.log(`    ours: throughput ${rate} times, Node's time 1 in ${node}, p99 ${p99} times`);
    }
  }
}

/** The most that Node's time for a text with ids in it may be of that for variables. */
const MOST_OF_VARIABLES = 1.6;

/** Compares the time of texts with ids in them with that of the same operation with variables. */
export function compareTexts(results: readonly Result[], texts: string, variables: string): void {
  const ours = (wanted: string) => results.find(({ name }) => name === wanted)?.measured[0];
  const [written, given] = [ours(texts), ours(variables)];
  if (!written || !given) return;
  const found = compare(written, given, 'node');
  const judged = judge({
    name: `GraphQL, ${texts}: Node's time ÷ that with variables`,
    wanted: `at most ${MOST_OF_VARIABLES}`,
    measured: spread(found),
    isMet: median(found) <= MOST_OF_VARIABLES,
  });
  console.log(`\n${texts}: ${spread(found)} times the time with variables (${judged})`);
}

/** Leaves the tables for docs/performance.md, and writes their plot. */
export async function write(results: readonly Result[], database: string): Promise<void> {
  const text = `## GraphQL

PostgreSQL ${database}; the sample, a pool of 4, 16 connections with one request at a time on each, medians of interleaved rounds. The
load generator and PostgreSQL run on the same machine. PostGraphile 5 uses the same tables, in its own Node process. Before
the measurement their answers were compared.

![Throughput, ours to PostGraphile's](performance.svg)

${table(results)}

"Machine" is the part of all processors that the peer, PostgreSQL and the generator used: requests a second × their time for
each request ÷ processors.

Goals, for Moraine ("ours") and PostGraphile:

- throughput: ours ÷ PostGraphile's at least ${GOALS.rate}, or ours uses the whole machine (${percent(FULL_MACHINE)} or more)
- Node's processor time: PostGraphile's ÷ ours at least ${GOALS.node}
- p99: ours ÷ PostGraphile's at most ${GOALS.p99}

Texts with ids in them and pages of spent outputs have goals of their own, in the table above.

${ratioTable(results)}
`;
  noteSection(text);
  await writeFile(picture, plot(results));
  console.log('\nits plot is written to docs/performance.svg');
}

function table(results: readonly Result[]): string {
  const rows = results.flatMap(({ name, measured }) =>
    measured.map((each, index) => {
      const text = (what: keyof Round, digits = 0) => median(of(each, what)).toFixed(digits);
      return `| ${index === 0 ? name : ''} | ${each.name} | ${text('rate')} | ${text('p50', 1)} | ${text('p99', 1)} | ${text('node')} | ${text('server')} | ${percent(median(fullness(each)))} | ${each.statements} |`;
    }),
  );
  return [
    '| query | peer | requests a second | p50, ms | p99, ms | Node, µs a request | PostgreSQL, µs a request | machine | statements |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function ratioTable(results: readonly Result[]): string {
  const rows = results.flatMap(({ name, measured: [ours, ...others] }) =>
    others.map((peer) => {
      if (!ours) return '';
      const cells = goalsOf(ours, peer).map(({ text, isMet }) => `${text}, ${verdict(isMet)}`);
      return `| ${name} | ${peer.name} | ${cells.join(' | ')} |`;
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
