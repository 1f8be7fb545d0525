import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const require = createRequire(import.meta.url);

/** Suites that take minutes and have a command of their own: `npm run test:<name>`. */
const longSuites = ['clients', 'faults', 'hostile', 'networks', 'package', 'sheet', 'soak'];

/**
 * What counts blocks keeps a session on the gateway's own pool, which a PgBouncer in transaction mode does
 * not give.
 */
const onSessions = process.env['TEST_POOLER']
  ? ['test/**/bounded-*.test.ts', 'test/resources/icm-message/indexes.test.ts']
  : [];

/** Faults whose printed latencies have a goal: beside another file of faults they would tell of that one. */
const timedFaults = 'test/faults/timed/*.test.ts';

/**
 * Files that take a fourth of a minute or more, beside what they test: they have a command of their own, so
 * that `npm test` stays within twelve minutes on two processors.
 */
const longFiles = 'test/**/*.long.test.ts';
const perFile = ['test/harness/citus-forms-setup.ts', 'test/harness/identities-setup.ts'];

/**
 * Begins with the tests of the package: one file that waits for npm for minutes. By its name it would be the
 * last one, which all processors wait for.
 */
class PackageFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isPackage = ({ project }: TestSpecification) => project.name === 'package';
    return [...sorted.filter(isPackage), ...sorted.filter((each) => !isPackage(each))];
  }
}

const globalSetup = ['test/harness/global-setup.ts'];
const faultSetup = [
  ...globalSetup,
  ...['table', 'sample'].map((each) => `test/faults/harness/${each}-setup.ts`),
];

export default defineConfig({
  resolve: {
    // Vite would take graphql's "module" entry, Node takes "main": two copies of graphql refuse each other's
    // types.
    alias: [{ find: /^graphql$/, replacement: require.resolve('graphql') }],
  },
  test: {
    pool: 'forks',
    // Files share the loaded modules of their worker, which halves the processor time of a run. Nothing of
    // ours keeps state in a module: importing one does nothing.
    isolate: false,
    // Vitest leaves one processor free, which on two is half of them; here a fourth of a run is waiting, so
    // one worker more than processors. All files share one database server, whose connections eight at once
    // do not use up.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // For a machine that is busy with other things; no test waits for it.
    testTimeout: 480_000,
    hookTimeout: 480_000,
    sequence: { sequencer: PackageFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          setupFiles: perFile,
          include: ['test/**/*.test.ts'],
          exclude: [...longSuites.map((suite) => `test/${suite}/**`), longFiles, ...onSessions],
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          setupFiles: perFile,
          // Random documents are few in `npm test` and as many as EQUALITY_RUNS says here.
          include: [longFiles, 'test/execution/prepared-equals-plain.test.ts'],
          exclude: onSessions,
          globalSetup,
        },
      },
      ...longSuites.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          exclude: [timedFaults],
          globalSetup: name === 'faults' ? faultSetup : globalSetup,
          // The soak takes ten minutes; nothing else takes one.
          ...(name === 'soak' && { testTimeout: 3_600_000 }),
          // The first time everything is downloaded and compiled.
          ...(name === 'clients' && { testTimeout: 1_800_000 }),
        },
      })),
      {
        extends: true,
        test: {
          name: 'faults-timed',
          include: [timedFaults],
          globalSetup: faultSetup,
          // After all others and one at a time.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
