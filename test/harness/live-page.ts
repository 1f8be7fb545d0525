// Bundled for a page: subscribers of all clients.
import { liveClients } from './live-clients.js';
import { numbers, Subscriber } from './live-subscriber.js';

/** Begins one of each client. */
export const begin = (query: string, urls: readonly string[]): Subscriber[] =>
  Object.values(liveClients).map(
    (subscribe, index) => new Subscriber(subscribe, query, urls, numbers(index + 1)),
  );
