import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { until } from './raw-client.js';

/** An event as it arrives: what the subscription's field is, or its errors. */
export interface StreamEvent {
  cursor: string;
  node: Record<string, unknown>;
  change?: string;
}

export interface StreamError {
  message: string;
  extensions: { code: string; retryAfterSeconds?: number };
}

/** A stream of a gateway, read as it arrives. */
export interface Stream {
  status: number;
  headers: Headers;
  /** Those that arrived so far. */
  readonly events: readonly StreamEvent[];
  readonly errors: readonly StreamError[];
  /** Comments, which keep it open. */
  readonly comments: number;
  /** How it ended: by the event `complete`, or otherwise; undefined while it is open. */
  readonly end: 'complete' | 'cut' | undefined;
  /** Waits until it has so many events. @throws if they do not come in time */
  have(count: number): Promise<readonly StreamEvent[]>;
  ended(): Promise<'complete' | 'cut'>;
  close(): void;
}

interface StreamOptions {
  variables?: object;
  headers?: Record<string, string>;
}

/** Opens a stream; resolves when it is subscribed, or its body of another type is read. */
export async function openStream(
  url: string,
  query: string,
  { variables = {}, headers = {} }: StreamOptions = {},
): Promise<Stream> {
  const controller = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
    signal: controller.signal,
  });
  const state = {
    events: [] as StreamEvent[],
    errors: [] as StreamError[],
    comments: 0,
    end: undefined as Stream['end'],
  };
  const take = (block: string) => {
    if (block.startsWith(':')) state.comments += 1;
    else if (/^event: complete\b/m.test(block)) state.end = 'complete';
    else {
      const { data, errors = [] } = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') as {
        data?: Record<string, StreamEvent> | null;
        errors?: StreamError[];
      };
      state.errors.push(...errors);
      state.events.push(...Object.values(data ?? {}));
    }
  };
  const reading = readBlocks(response, take).then(
    () => (state.end ??= 'cut'),
    () => (state.end ??= 'cut'),
  );
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream) await reading;
  else if (!(await until(() => state.comments > 0 || state.end !== undefined)))
    throw new Error('the stream does not begin');
  return Object.assign(state, {
    status: response.status,
    headers: response.headers,
    async have(count: number) {
      if (!(await until(() => state.events.length >= count, 60)))
        throw new Error(
          `only ${state.events.length} of ${count} events came: ${JSON.stringify(state.errors)}`,
        );
      return state.events;
    },
    ended: () => reading,
    close: () => controller.abort(),
  });
}

async function readBlocks(response: Response, take: (block: string) => void): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  if (!response.body) return;
  for await (const chunk of Readable.fromWeb(response.body as ReadableStream)) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  }
  // A refusal is one text of JSON.
  if (text.startsWith('{')) take(`data: ${text}`);
}
