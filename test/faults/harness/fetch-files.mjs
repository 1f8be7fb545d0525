// Fetches files without end on some connections, and reads nothing of them but their bytes: node fetch-files.mjs URL ENCODING COUNT PATH...
// A process of its own, so that what it takes to read megabytes is not measured as the gateway's. It ends with its parent.
import { Agent, request } from 'node:http';

const [url, encoding, count, ...paths] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(count) });
const headers = { accept: 'text/html,application/xhtml+xml', 'accept-encoding': encoding };
const statuses = {};
let [number, bytes] = [0, 0];

function next() {
  const path = paths[number % paths.length];
  number += 1;
  const again = (status) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    setImmediate(next);
  };
  request(`${url}${path}`, { agent, headers, localAddress: '127.0.0.2' })
    .on('error', () => again('cut'))
    .on('response', (response) => {
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('close', () => again(response.statusCode));
    })
    .end();
}

for (let connection = 0; connection < Number(count); connection += 1) next();
process.stdin.resume().on('end', () => {
  const answers = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
  console.log(`the attacker got ${answers.join(', ')}, ${Math.round(bytes / 2 ** 20)} MiB`);
  process.exit();
});
