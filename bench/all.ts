import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { otherOf } from './harness/against.js';
import { FAILED, NOTES_FILE, readNotes, type Measure } from './harness/measures.js';
import { verdict } from './harness/statistics.js';
import { tableOf } from './harness/table.js';
import { against, short, type Usage } from './harness/usage.js';

/** The shortest first, and whether they can be compared with another checkout. */
const benchmarks: readonly (readonly [name: string, hasOther: boolean])[] = [
  ['follow evm', true],
  ['graphql', true],
  ['cost', false],
  ['repeated', false],
  ['hooks', false],
  ['list', true],
  ['processes', false],
  ['live', false],
  ['import', true],
  ['blocks', false],
  ['filters', true],
  ['follow', true],
  ['composite', true],
];
const page = new URL('../docs/performance.md', import.meta.url);

export const usage: Usage = {
  about:
    'Every benchmark that has goals, one after the other, and one table of goals and figures. Written to docs/performance.md. Takes about an hour on a machine that does nothing else.',
  options: {
    ...short,
    ...against,
    '--only <names>': 'only these benchmarks, separated by commas',
    '--keep <folder>':
      'keeps what each benchmark measured there, and does not run those that it has: so that a run can be continued',
  },
};

export async function run(args: string[]): Promise<void> {
  const other = otherOf(args);
  const valueOf = (option: string) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
  const only = valueOf('--only')?.split(',');
  const kept = valueOf('--keep');
  const wanted = benchmarks.filter(
    ([name, hasOther]) => (only?.includes(name) ?? true) && (hasOther || !other),
  );
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'moraine-bench-all-')));
  await mkdir(folder, { recursive: true });
  const notesOf = (name: string) => join(folder, `${name}.ndjson`);
  const failed: string[] = [];
  try {
    for (const [name] of wanted) {
      if (existsSync(notesOf(name))) continue;
      console.log(`\n=== ${name}`);
      const options = [
        ...(args.includes('--short') ? ['--short'] : []),
        ...(other ? ['--against', other.checkout] : []),
      ];
      if (!(await runOne(name, options, notesOf(name)))) failed.push(name);
    }
    const notes = wanted.map(([name]) => readNotes(notesOf(name)));
    const measures = notes.flatMap((each) => each.measures);
    const sections = notes.flatMap((each) => each.sections);
    console.log(`\n${table(measures)}`);
    const missed = measures.filter(({ isMet }) => !isMet).length;
    console.log(`\n${measures.length - missed} of ${measures.length} goals are met`);
    if (failed.length > 0) console.log(`ended with an error: ${failed.join(', ')}`);
    if (!args.includes('--short') && !other && !only) await write(measures, sections);
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true });
  }
  if (failed.length > 0) process.exitCode = 1;
}

/**
 * Runs a benchmark in a process of its own, so that none finds the memory of another. @returns whether it
 * measured
 */
async function runOne(name: string, options: readonly string[], notes: string): Promise<boolean> {
  // One that does not end leaves no notes under the name that counts.
  const begun = `${notes}.begun`;
  await rm(begun, { force: true });
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'bench/main.ts', ...name.split(' '), ...options],
    {
      stdio: 'inherit',
      env: { ...process.env, [NOTES_FILE]: begun },
    },
  );
  const hasMeasured = await new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code, signal) => resolve(code !== FAILED && signal === null));
  });
  if (!hasMeasured) return false;
  // One without goals leaves no notes.
  await appendFile(begun, '');
  await rename(begun, notes);
  return true;
}

const table = (measures: readonly Measure[]) =>
  tableOf(
    ['measure', 'goal', 'figure', ''],
    measures.map(({ name, wanted, measured, isMet }) => [name, wanted, measured, verdict(isMet)]),
  );

async function write(measures: readonly Measure[], sections: readonly string[]): Promise<void> {
  const text = `# Performance

\`npm run bench -- all\` wrote this page on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version.slice(1)}.
Figures are medians of interleaved rounds, with the least and the most.

${table(measures)}

${sections.join('\n\n')}
`;
  await writeFile(page, await format(text, { parser: 'markdown' }));
  console.log('\nwritten to docs/performance.md');
}
