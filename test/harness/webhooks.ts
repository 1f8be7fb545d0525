import type { IncomingHttpHeaders } from 'node:http';
import { Avalanche } from '@avalanche-sdk/chainkit';
import { defaultTimes } from '../../src/jobs/queue.js';
import { createApp, type AppOptions, type TestApp } from './app.js';
import { addressOf } from './ledger-rows.js';
import { listen } from './listen.js';
import { serveHttp, type LoopbackServer } from './loopback.js';
import { makeKey } from './keys.js';
import { until } from './raw-client.js';

/** An event as a receiver got it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { webhookId: string; eventType: string; messageId: string; event: Record<string, any> };
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** Milliseconds before it. */
  readonly afterMs?: number;
}

/** A server that events are sent to. */
export interface Receiver extends LoopbackServer {
  readonly received: Received[];
  /** How it answers from now on; null: it takes the event and says nothing. */
  answers: () => Answer | null;
  /** Waits until it has got so many. */
  have(count: number): Promise<Received[]>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = await serveHttp((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      received.push({ headers: request.headers, text, body: JSON.parse(text) as Received['body'] });
      const answer = receiver.answers();
      if (!answer) return;
      const { status, headers, afterMs = 0 } = answer;
      setTimeout(() => response.writeHead(status, headers).end(), afterMs);
    });
  });
  const receiver: Receiver = Object.assign(server, {
    received,
    answers: () => ({ status: 200 }),
    have: async (count: number) => {
      if (!(await until(() => received.length >= count)))
        throw new Error(`${received.length} of ${count} events came`);
      return received;
    },
  });
  return receiver;
}

/** A gateway with a key that has webhooks. */
export interface WebhookGateway extends TestApp {
  readonly client: Avalanche;
  /** For each call of the client. */
  readonly options: { serverURL: string; retries: { strategy: 'none' } };
  readonly keyId: number;
  /** Makes a webhook of addresses of mainnet's P-chain. @returns its id */
  watch(url: string, names: readonly string[], more?: object): Promise<string>;
}

/** A gateway that makes and sends events, to this machine too. */
export const openSender = (env: Record<string, string> = {}, options: AppOptions = {}): Promise<TestApp> =>
  createApp(
    { WORKER: 'on', FETCH_ALLOW_LOOPBACK: 'true', ...env },
    { times: { ...defaultTimes, poll: 0.05, maintenance: 1 }, webhooks: { pauses: [0.2] }, ...options },
  );

/** The same, with a key and the published client. */
export async function openWebhooks(
  env: Record<string, string> = {},
  options: AppOptions = {},
): Promise<WebhookGateway> {
  const gateway = await openSender(env, options);
  const { key, record } = await makeKey(gateway, 'free');
  const client = new Avalanche({ apiKey: key, network: 'mainnet', enableTelemetry: false });
  const calls = { serverURL: await listen(gateway.app), retries: { strategy: 'none' as const } };
  return Object.assign(gateway, {
    key,
    keyId: record.id,
    client,
    options: calls,
    async watch(url: string, names: readonly string[], more: object = {}) {
      const { id } = await client.webhooks.create(
        {
          eventType: 'primary_network_address_activity',
          url,
          network: 'mainnet',
          chainId: 'p-chain',
          metadata: {
            keyType: 'addresses',
            keys: names.map((name) => addressOf(name)),
            subEvents: { addressActivitySubEvents: ['balance_change'] },
            ...more,
          },
        },
        calls,
      );
      return id;
    },
  });
}
