import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients that connect and leave without closing properly. */
export interface Visitors {
  came: () => number;
  stop: () => Promise<void>;
}

const list = 'GET /v1/networks/fuji/blockchains/p-chain/utxos?pageSize=100 HTTP/1.1\r\nhost: a\r\n\r\n';
/**
 * What each sends before it leaves: nothing, half a head, half a body, a request whose answer it does not
 * read.
 */
const manners = [
  '',
  list.slice(0, 30),
  'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"query":',
  list,
  list.repeat(3),
];

/** Opens a connection every 50 ms, and drops it some time later. */
export function sendVisitors(port: number): Visitors {
  let came = 0;
  let going = true;
  const stay = async (number: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(manners[number % manners.length] as string);
    await sleep(20 + (number % 7) * 50);
    if (number % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  };
  const done = (async () => {
    while (going) {
      void stay((came += 1));
      await sleep(50);
    }
    await sleep(500);
  })();
  return {
    came: () => came,
    stop: async () => {
      going = false;
      await done;
    },
  };
}
