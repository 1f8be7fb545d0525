import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { judge, type Probe, type Verdict } from './probes.js';
import { send, type SendOptions } from './send.js';

/** The results of a load. */
export interface Tally {
  sent: number;
  right: number;
  refused: number;
  cut: number;
  wrong: number;
  /** From the end of the fault until all requests were answered right again. */
  recoverMs: number | undefined;
  /** Whether all was right again in time, if the load waited for it. */
  recovered: boolean;
  /** Each wrong answer in a few words, to be seen when a test fails. */
  wrongOnes: string[];
  /** Why connections broke, each reason once. */
  cutReasons: string[];
  /** What the refusals said, each text once. */
  refusals: string[];
  /** Milliseconds that half, 99 of 100 and all right answers took at most. */
  note: string;
}

/** An honest client: sends at a steady rate, whatever becomes of what it sent, and compares every answer. */
export interface Load {
  /** The moment from which recovery is counted. */
  faultEnds: () => void;
  /** Waits, at most so long, until a whole round of probes was answered right that was sent from now on. */
  rightAgain: (milliseconds: number) => Promise<void>;
  /** Waits until so many more requests were answered as `verdict` says. */
  seen: (verdict: Verdict, count?: number) => Promise<void>;
  /** Sends no more, and tells when the last answer has come. */
  stop: () => Promise<Tally>;
}

type Details = Record<'wrong' | 'cut' | 'refused', Set<string>>;

interface Outcome {
  verdict: Verdict;
  sentAt: number;
  took: number;
}

/**
 * Starts an honest client.
 *
 * @param url where it sends to; asked before each request
 * @param rate requests a second
 */
export function startLoad(
  url: () => string,
  probes: readonly Probe[],
  { rate = 20, ...options }: SendOptions & { rate?: number } = {},
): Load {
  // Fewer than the 64 requests in flight of one caller: on a machine that stands still for seconds, a client
  // that went on sending would be refused for its own number of requests.
  const agent = new Agent({ keepAlive: true, maxSockets: 48 });
  const outcomes: Outcome[] = [];
  const running = new Set<Promise<void>>();
  const details: Details = { wrong: new Set(), cut: new Set(), refused: new Set() };
  let endedAt: number | undefined;
  let stopped = false;
  let recovered = true;

  async function one(probe: Probe): Promise<void> {
    const sentAt = performance.now();
    const answer = await send(url(), probe, { agent, ...options });
    const verdict = judge(probe, answer);
    outcomes.push({ verdict, sentAt, took: performance.now() - sentAt });
    if (verdict === 'cut') details.cut.add(answer.broke ?? '');
    if (verdict === 'refused') details.refused.add(refusalOf(answer.text));
    if (verdict === 'wrong')
      details.wrong.add(`${probe.path.slice(0, 60)}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }

  const ticking = (async () => {
    const start = performance.now();
    for (let count = 0; !stopped; count += 1) {
      const request = one(probes[count % probes.length]!);
      running.add(request);
      void request.finally(() => running.delete(request));
      await sleep(Math.max(1, start + ((count + 1) * 1000) / rate - performance.now()));
    }
  })();

  return {
    faultEnds: () => void (endedAt = performance.now()),
    async rightAgain(milliseconds) {
      const from = performance.now();
      for (;;) {
        const asked = outcomes.filter(({ sentAt }) => sentAt >= from);
        const last = asked.slice(-probes.length);
        if (last.length === probes.length && last.every(({ verdict }) => verdict === 'right')) return;
        if (performance.now() - from > milliseconds) return void (recovered = false);
        await sleep(20);
      }
    },
    async seen(verdict, count = 1) {
      const number = () => outcomes.filter((each) => each.verdict === verdict).length;
      for (const goal = number() + count; number() < goal;) await sleep(10);
    },
    async stop() {
      stopped = true;
      await ticking;
      await Promise.all(running);
      agent.destroy();
      return { ...tally(outcomes, endedAt, details), recovered };
    },
  };
}

function tally(outcomes: Outcome[], endedAt: number | undefined, details: Details): Omit<Tally, 'recovered'> {
  const count = (verdict: Verdict) => outcomes.filter((each) => each.verdict === verdict).length;
  const times = outcomes.filter(({ verdict }) => verdict === 'right').map(({ took }) => took);
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? NaN);
  return {
    sent: outcomes.length,
    right: count('right'),
    refused: count('refused'),
    cut: count('cut'),
    wrong: count('wrong'),
    recoverMs: endedAt === undefined ? undefined : recovery(outcomes, endedAt),
    wrongOnes: [...details.wrong],
    cutReasons: [...details.cut],
    refusals: [...details.refused],
    note: `answered in ${at(0.5)} / ${at(0.99)} / ${at(1)} ms`,
  };
}

// The first answer after which all answers were right.
function recovery(outcomes: Outcome[], endedAt: number): number | undefined {
  const after = outcomes.filter(({ sentAt }) => sentAt >= endedAt).sort((a, b) => a.sentAt - b.sentAt);
  const bad = after.findLastIndex(({ verdict }) => verdict !== 'right');
  const good = after.slice(bad + 1);
  return good.length === 0 ? undefined : Math.min(...good.map((each) => each.sentAt + each.took)) - endedAt;
}

function refusalOf(text: string): string {
  const body = JSON.parse(text) as { message?: string; errors?: { message: string }[] };
  return body.message ?? body.errors?.[0]?.message ?? '';
}
