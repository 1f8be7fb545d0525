// Honest traffic from a process of its own: sends the given requests again and again, by so many callers at
// once (closed loop) or at a rate (open loop), for some seconds; prints what came of it as JSON.
import { Agent, request } from 'node:http';
import type { TrafficOrder, TrafficReport } from './traffic.js';

const order = JSON.parse(process.argv[2] ?? '') as TrafficOrder;
const { url, seconds, rate, callers, requests, keys } = order;
const agent = new Agent({ keepAlive: true, maxSockets: callers });
/** For one in so many requests its connection is made for it and closed after it. */
const LONE = 10;

const times: number[] = [];
const report: TrafficReport = {
  sent: 0,
  answered: 0,
  errors: [],
  errorCount: 0,
  late: 0,
  rate: 0,
  p50: 0,
  p99: 0,
};
let next = 0;
const end = performance.now() + seconds * 1000;

function ask(): Promise<void> {
  const number = (next += 1);
  const { path, body } = requests[number % requests.length] as TrafficOrder['requests'][number];
  const started = performance.now();
  report.sent += 1;
  return new Promise((resolve) => {
    const finish = (problem: string | null) => {
      times.push(performance.now() - started);
      if (problem === null) report.answered += 1;
      else if ((report.errorCount += 1) <= 20) report.errors.push(`${path}: ${problem}`);
      resolve();
    };
    const lone = number % LONE === 0;
    const headers = {
      'x-service-api-key': keys[number % keys.length],
      ...(lone && { connection: 'close' }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    request(`${url}${path}`, { method, headers, agent: lone ? false : agent }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('error', (error) => finish(error.message));
      reply.on('end', () => finish(problemOf(reply.statusCode ?? 0, Buffer.concat(chunks).toString())));
    })
      .on('error', (error) => finish(error.message))
      .end(body);
  });
}

function problemOf(status: number, text: string): string | null {
  if (status !== 200) return `${status} ${text.slice(0, 200)}`;
  const { errors } = JSON.parse(text) as { errors?: unknown };
  return errors === undefined ? null : text.slice(0, 200);
}

async function closedLoop(): Promise<void> {
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) await ask();
    }),
  );
}

/** Each tick asks what is due; what the callers at work cannot take is late, not lost. */
async function openLoop(perSecond: number): Promise<void> {
  const under = new Set<Promise<void>>();
  const began = performance.now();
  while (performance.now() < end) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    while (next < due && under.size < callers) {
      const each = ask().finally(() => under.delete(each));
      under.add(each);
    }
    report.late = Math.max(report.late, due - next);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(under);
}

const began = performance.now();
await (rate === null ? closedLoop() : openLoop(rate));
agent.destroy();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
Object.assign(report, {
  rate: report.answered / ((performance.now() - began) / 1000),
  p50: at(0.5),
  p99: at(0.99),
});
process.stdout.write(JSON.stringify(report));
