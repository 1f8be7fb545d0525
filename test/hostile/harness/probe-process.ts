// Asks for /health each 100 ms from a process of its own, so that the sender's own work does not count, until
// it is stopped; then prints what it saw as JSON.
import { Agent, get } from 'node:http';

const [, , url = ''] = process.argv;
const agent = new Agent({ keepAlive: false });
const times: number[] = [];
const wrong: string[] = [];

function ask(): Promise<void> {
  const started = performance.now();
  return new Promise((resolve) => {
    const finish = (problem: string | null) => {
      times.push(performance.now() - started);
      if (problem) wrong.push(problem);
      resolve();
    };
    get(`${url}/health`, { agent }, (reply) => {
      reply.resume().on('end', () => finish(reply.statusCode === 200 ? null : `status ${reply.statusCode}`));
    }).on('error', (error) => finish(error.message));
  });
}

const asked = new Set<Promise<void>>();
const timer = setInterval(() => {
  const each = ask().finally(() => asked.delete(each));
  asked.add(each);
}, 100);

process.once('SIGTERM', () => {
  clearInterval(timer);
  void Promise.all(asked).then(() => {
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
    process.stdout.write(
      JSON.stringify({
        asked: times.length,
        wrong: wrong.slice(0, 10),
        median: at(0.5),
        p99: at(0.99),
        worst: at(1),
      }),
    );
  });
});
process.stdout.write('ready\n');
