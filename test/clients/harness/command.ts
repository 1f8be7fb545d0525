import { spawn } from 'node:child_process';

/** Where a command runs and what it is given. */
export interface RunContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/**
 * What a command of a shell prints. Whatever it has started ends with it, and after `minutes` too.
 *
 * @throws with the end of what it wrote, when it fails or takes longer
 */
export async function run(
  command: string,
  context: RunContext,
  { minutes = 10, input = '' } = {},
): Promise<string> {
  // A group of its own, which is ended as a whole.
  const child = spawn('sh', ['-c', command], { ...context, detached: true });
  const end = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
  };
  process.once('exit', end);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    end();
  }, minutes * 60_000);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  // One that has failed reads no more; what it says of that is in its output.
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  ).finally(() => {
    clearTimeout(limit);
    process.off('exit', end);
    end();
  });
  if (code === 0) return output.stdout;
  const why = isLate ? `took longer than ${minutes} minutes` : `ended with ${code}`;
  throw new Error(`${command}\n${why}: ${output.stdout.slice(-1000) + output.stderr.slice(-3000)}`);
}
