import type { ProvidedContext } from 'vitest';
import type { TestProject, Vitest } from 'vitest/node';

type Setup = (project: TestProject) => Promise<() => Promise<void>>;

/**
 * A global setup for the first project of a run that has it: what it provides is for every other project too.
 *
 * @param key what it provides, by which one sees that it was there
 */
export function onceForAll(
  key: keyof ProvidedContext,
  setup: (provide: Vitest['provide']) => ReturnType<Setup>,
): Setup {
  return (project) =>
    key in project.getProvidedContext()
      ? Promise.resolve(() => Promise.resolve())
      : setup(project.vitest.provide);
}
