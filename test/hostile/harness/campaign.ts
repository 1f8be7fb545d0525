import { Connection, type Outcome } from './connection.js';
import type { Input } from './input.js';
import type { Oracle, Problem } from './oracle.js';
import { show } from './response-parser.js';

/** Inputs that are sent, and by what the answers are judged. */
export interface Campaign {
  name: string;
  port: number;
  seed: number;
  count: number;
  /** Connections at the same time. */
  connections: number;
  /** Makes the input of an index, the same for the same seed. */
  make: (index: number) => Input;
  oracle: Oracle;
}

export interface CampaignReport {
  /** Answers by family and status; `closed` where none came. */
  answers: ReadonlyMap<string, ReadonlyMap<string, number>>;
  sent: number;
  /** The first of each kind, with their input and answer. */
  problems: readonly (Problem & { report: string })[];
  /** All of them. */
  counts: Readonly<Record<Problem['kind'], number>>;
  /**
   * Right requests of which the rows, the body or the data are known, and how many were answered with them.
   */
  right: { sent: number; answered: number };
  /** The slowest answer to an input of one request. */
  slowest: { index: number; milliseconds: number };
  seconds: number;
}

/** Most problems of a kind that are kept with their input and answer. */
const KEPT_PROBLEMS = 40;

/** Sends all inputs and judges every answer. */
export async function runCampaign({
  name,
  port,
  seed,
  count,
  connections,
  make,
  oracle,
}: Campaign): Promise<CampaignReport> {
  const answers = new Map<string, Map<string, number>>();
  const problems: (Problem & { report: string })[] = [];
  const counts = { answer: 0, refusal: 0 };
  const right = { sent: 0, answered: 0 };
  let slowest = { index: -1, milliseconds: 0 };
  let sent = 0;
  let next = 0;
  const tell = (index: number, input: Input, outcome: Outcome, { text }: Problem) =>
    [
      `${name} input ${index} of seed ${seed} (${input.family}): ${text}`,
      `  sent: ${show(Buffer.concat([...input.pieces]), 500)}`,
      `  got: ${
        outcome.responses
          .map(({ status, body }) => `${status} ${show(body, 200)}`)
          .join(' | ')
          .slice(0, 600) || 'nothing'
      }`,
    ].join('\n');
  const started = performance.now();
  const work = async () => {
    const connection = new Connection(port);
    for (let index = next++; index < count; index = next++) {
      const input = make(index);
      sent += input.methods.length;
      const outcome = await connection.exchange(input);
      const family = answers.get(input.family) ?? new Map<string, number>();
      answers.set(input.family, family);
      const statuses =
        outcome.responses.length === 0 ? ['closed'] : outcome.responses.map(({ status }) => String(status));
      for (const status of statuses) family.set(status, (family.get(status) ?? 0) + 1);
      const found = oracle.judge(input, outcome);
      if (isKnown(input)) {
        right.sent += 1;
        if (found.length === 0 && outcome.responses.every(({ status }) => status < 400)) right.answered += 1;
      }
      if (outcome.milliseconds > slowest.milliseconds)
        slowest = { index, milliseconds: outcome.milliseconds };
      for (const problem of found) {
        counts[problem.kind] += 1;
        if (counts[problem.kind] <= KEPT_PROBLEMS)
          problems.push({ ...problem, report: tell(index, input, outcome, problem) });
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { answers, sent, problems, counts, right, slowest, seconds: (performance.now() - started) / 1000 };
}

function isKnown({ expectations }: Input): boolean {
  const [known] = expectations;
  return known?.page !== undefined || known?.body !== undefined || known?.data !== undefined;
}

/** The table of a report, as text. */
export function describeReport(
  name: string,
  { answers, sent, right, slowest, seconds }: CampaignReport,
): string {
  const rows = [...answers].sort().map(([family, statuses]) => {
    const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
    return `  ${family.padEnd(14)}${counts.join('  ')}`;
  });
  return [
    `${name}: ${sent} requests in ${seconds.toFixed(1)} s; of ${right.sent} whose answer is known beforehand ${right.answered} were answered with it;`,
    `  slowest: input ${slowest.index} with ${slowest.milliseconds.toFixed(0)} ms`,
    ...rows,
  ].join('\n');
}
