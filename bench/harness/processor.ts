import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time of a process so far, microseconds: that of its threads, to the nanosecond. Only on Linux.
 */
export function processorTime(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.reduce((sum, task) => sum + nanoseconds(`/proc/${pid}/task/${task}/schedstat`), 0) / 1000;
  } catch {
    // It ended.
    return 0;
  }
}

/** The same of a PostgreSQL server with all of its backends. */
export function serverTime(server: number): number {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
  return [server, ...children.map(Number)].reduce((sum, pid) => sum + processorTime(pid), 0);
}

/** The same of the ended children of a process, to the hundredth of a second. */
export function endedTime(pid: number): number {
  const [, , , , , , , , , , , , , user, system] = fieldsOf(pid);
  return (Number(user) + Number(system)) * 10_000;
}

function nanoseconds(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/** The process that started another one: of a backend its server. */
export function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1]);
}

/** What Linux shows of a process, from its state on. */
function fieldsOf(pid: number): string[] {
  // The name of the program, in parentheses, may contain spaces.
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/);
  return after.split(' ');
}
