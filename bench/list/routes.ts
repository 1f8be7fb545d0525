import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_WORSE, type Other } from '../harness/against.js';
import { importFiles } from '../harness/files.js';
import { stopProcess } from '../harness/processes.js';
import { judge } from '../harness/measures.js';
import { median, ratios, spread } from '../harness/statistics.js';
import { ratesOf, type Length } from './compare.js';
import { startBoth, startGateways } from './peers.js';
import { makePresent, mostAskedCases, outputCases, routeCases } from './route-data.js';
import { writeMostAskedFiles, writeRouteFiles } from './route-data.js';

/** The other much used routes of REST, each against a hand-written floor. */
export async function compareRoutes(length: Length): Promise<void> {
  await withRows([process.cwd()], writeMostAskedFiles, async ([env = {}]) => {
    await makePresent(env);
    const { gateway, floor } = await startBoth('routes.ts', '/v1/icm/messages', env);
    try {
      for (const { name, wanted, paths } of [...routeCases(), ...mostAskedCases()]) {
        const [ours = [], floors = []] = await ratesOf([gateway, floor], paths, length);
        const found = ratios(floors, ours);
        const judged = judge({
          name: `REST, ${name}: floor's throughput ÷ ours`,
          wanted: `at most ${wanted}`,
          measured: spread(found),
          isMet: median(found) <= wanted,
        });
        console.log(
          `${name}: own floor's throughput ÷ ours ${spread(found)}, wanted at most ${wanted}: ${judged}\n` +
            `  requests a second: ours ${median(ours).toFixed(0)}, floor ${median(floors).toFixed(0)}`,
        );
      }
    } finally {
      await Promise.all([gateway, floor].map(({ child }) => stopProcess(child)));
    }
  });
}

/** The gateway of this checkout against that of another one, each on its own database of the same rows. */
export async function compareCommits({ name: commit, checkout }: Other, length: Length): Promise<void> {
  const checkouts = [process.cwd(), checkout];
  await withRows(checkouts, writeRouteFiles, async (envs) => {
    const gateways = await startGateways(
      checkouts.map((each, index) => ({ checkout: each, env: envs[index] ?? {} })),
    );
    try {
      for (const { name, paths } of [...outputCases(), ...routeCases()]) {
        const [ours = [], theirs = []] = await ratesOf(gateways, paths, length);
        const found = ratios(ours, theirs);
        const judged = judge({
          name: `REST, ${name}: throughput ÷ that of ${commit}`,
          wanted: `at least ${1 - NO_WORSE}`,
          measured: spread(found),
          isMet: median(found) >= 1 - NO_WORSE,
        });
        console.log(
          `${name}: throughput ÷ that of ${commit} ${spread(found)}, wanted at least ${1 - NO_WORSE}: ${judged}\n` +
            `  requests a second: ours ${median(ours).toFixed(0)}, theirs ${median(theirs).toFixed(0)}`,
        );
      }
    } finally {
      await Promise.all(gateways.map(({ child }) => stopProcess(child)));
    }
  });
}

/** Imports the rows with each checkout into a new database, which is dropped in the end. */
async function withRows(
  checkouts: readonly string[],
  write: (folder: string) => Promise<string[]>,
  work: (envs: Record<string, string>[]) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moraine-bench-list-'));
  try {
    const files = await write(folder);
    const envs: Record<string, string>[] = [];
    for (const [index, checkout] of checkouts.entries()) {
      const env = { DATA_DIR: join(folder, String(index)) };
      await importFiles(checkout, files, env);
      envs.push(env);
    }
    await work(envs);
  } finally {
    await rm(folder, { recursive: true });
  }
}
