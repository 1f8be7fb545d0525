import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { loadSampleOnce } from '../src/load-sample.js';
import { samplePages } from '../test/harness/explorer-pages.js';
import { dataFolder, openBenchDatabase } from './harness/database.js';
import { startGateway } from './harness/gateway.js';
import { judge } from './harness/measures.js';
import { stopProcess } from './harness/processes.js';
import { median } from './harness/statistics.js';
import { tableOf } from './harness/table.js';
import { short, type Usage } from './harness/usage.js';

const PORT = 4790;
const RUNS = 5;
/** A new Chromium now and then records nothing of the page (NO_NAVSTART). */
const TRIES = 3;
const pages = ['network', 'transaction', 'address', 'validators', 'subnet', 'message'];
/** A slow phone: 1.6 Mbit/s, 300 ms, a processor four times slower, all simulated. */
const line = ['--throttling.rttMs=300', '--throttling.throughputKbps=1600'];
const categories = ['performance', 'accessibility', 'best-practices'] as const;
/** Goals of all pages but that of the first view's time, milliseconds. */
const LEAST = { performance: 95, accessibility: 95, 'best-practices': 95 };
const FIRST_VIEW_MS = 3000;

export const usage: Usage = {
  about:
    'Lighthouse on six pages of the explorer, on the sample, over a simulated slow line: the median of five runs. It is installed in a temporary folder and needs a Chromium (CHROME_PATH).',
  options: { ...short, '--pages <names>': `only some of ${pages.join(', ')}, divided by commas` },
};

export async function run(args: string[]): Promise<void> {
  const runs = args.includes('--short') ? 1 : RUNS;
  const named = args[args.indexOf('--pages') + 1]?.split(',') ?? [];
  const measured = args.includes('--pages') ? pages.filter((name) => named.includes(name)) : pages;
  const lighthouse = await install();
  const { storage, env } = await openBenchDatabase('explorer');
  await loadSampleOnce(storage, pino({ level: 'warn' }));
  const { child, origin } = await startGateway(process.cwd(), env, PORT);
  try {
    const rows: string[][] = [];
    for (const name of measured) {
      const url = `${origin}${samplePages()[name]}`;
      const results: Result[] = [];
      for (let index = 0; index < runs; index += 1) results.push(await measureAgain(lighthouse, url));
      rows.push(rowOf(name, results));
    }
    console.log(
      tableOf(['page', ...categories, 'first content, s', 'largest content, s', 'as wanted'], rows),
    );
  } finally {
    await stopProcess(child);
    await storage.close();
  }
}

/** Downloads Lighthouse, once for each version. @returns its command */
async function install(): Promise<string> {
  const folder = dataFolder('lighthouse');
  const source = new URL('peers/lighthouse/', import.meta.url);
  const wanted = await readFile(new URL('package.json', source), 'utf8');
  const held = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  const command = join(folder, 'node_modules/lighthouse/cli/index.js');
  if (held === wanted && existsSync(command)) return command;
  await cp(source, folder, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
  return command;
}

/** What Lighthouse says of a page, as far as it is used here. */
interface Report {
  categories: Record<(typeof categories)[number], { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

interface Result {
  /** 0 to 100. */
  scores: number[];
  /** Milliseconds until the first and the largest content are painted. */
  first: number;
  largest: number;
}

async function measureAgain(command: string, url: string): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await measure(command, url);
    } catch (error) {
      const isUnrecorded = error instanceof Error && error.message.includes('NO_NAVSTART');
      if (!isUnrecorded || tries === TRIES) throw error;
    }
}

async function measure(command: string, url: string): Promise<Result> {
  const options = [
    '--quiet',
    '--output=json',
    '--output-path=stdout',
    '--throttling-method=simulate',
    ...line,
    `--only-categories=${categories.join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [command, url, ...options], {
    maxBuffer: 64 * 2 ** 20,
  });
  const { categories: scored, audits } = JSON.parse(stdout) as Report;
  return {
    scores: categories.map((name) => Math.round((scored[name].score ?? 0) * 100)),
    first: audits['first-contentful-paint']?.numericValue ?? NaN,
    largest: audits['largest-contentful-paint']?.numericValue ?? NaN,
  };
}

function rowOf(name: string, results: readonly Result[]): string[] {
  const scores = categories.map((_category, index) =>
    median(results.map((each) => each.scores[index] ?? NaN)),
  );
  const [first, largest] = (['first', 'largest'] as const).map((key) =>
    median(results.map((each) => each[key])),
  );
  const verdicts = [
    ...categories.map((category, index) =>
      judge({
        name: `${name}: ${category}`,
        wanted: `at least ${LEAST[category]}`,
        measured: String(scores[index]),
        isMet: (scores[index] ?? 0) >= LEAST[category],
      }),
    ),
    judge({
      name: `${name}: first content, milliseconds`,
      wanted: `under ${FIRST_VIEW_MS}`,
      measured: String(Math.round(first ?? NaN)),
      isMet: (first ?? NaN) < FIRST_VIEW_MS,
    }),
  ];
  const seconds = (ms = NaN) => (ms / 1000).toFixed(1);
  return [
    name,
    ...scores.map(String),
    seconds(first),
    seconds(largest),
    new Set(verdicts).size === 1 ? (verdicts[0] ?? '') : 'in part',
  ];
}
