import { count, setting, wholeNumber } from './setting.js';

/** Settings of what one operation, request or client can take: cost, time, connections, memory. */
export const boundSettings = {
  MAX_COST: setting(
    count,
    '10000',
    'Highest cost of a GraphQL operation; a connection multiplies its fields by its page size.',
  ),
  MAX_DEPTH: setting(count, '15', 'Deepest nesting of fields in a GraphQL document.'),
  MAX_ALIASES: setting(count, '30', 'Maximum number of aliases in a GraphQL document.'),
  MAX_TOKENS: setting(
    count,
    '2000',
    'Maximum number of lexical tokens in a GraphQL document, and of lines; a document may have 32 times as many characters.',
  ),
  MAX_BODY_BYTES: setting(
    count,
    '262144',
    'Largest request body, bytes. JSON may be nested 64 deep and have 10,000 members.',
  ),
  MAX_REQUESTS_IN_FLIGHT: setting(
    count,
    '256',
    'Maximum number of requests that a gateway answers at the same time; one caller may have a quarter of them, and callers without a key all but a quarter. Further requests are refused with 503 at once.',
  ),
  REQUEST_TIMEOUT_MS: setting(count, '10000', 'Time after which a request is cancelled, milliseconds.'),
  SHUTDOWN_DELAY_MS: setting(
    wholeNumber(0, 5000),
    '1000',
    'A gateway that is stopping reports that at /ready and still accepts requests until none has arrived for this time, so that a load balancer that checks /ready loses no request. It waits at most 4 seconds in all, or this time if that is longer. Milliseconds, at most 5000.',
  ),
  MAX_CONNECTIONS: setting(
    count,
    '2048',
    'Maximum number of client connections of a gateway; one caller may have a quarter of them. Beyond that, the connection that has made no progress for longest is closed, one without a key first.',
  ),
  MAX_STREAMS: setting(
    count,
    '1024',
    'Maximum number of streams (subscriptions) of a gateway that are open at the same time; one caller may have a quarter of them, and no more than its plan allows. Further ones are refused with 503. They do not count as requests in flight, but each has a connection.',
  ),
  HEADERS_TIMEOUT_MS: setting(
    count,
    '10000',
    'Time in which a client must have sent the head of a request, milliseconds.',
  ),
  BODY_TIMEOUT_MS: setting(
    count,
    '10000',
    'Time in which a client must have sent the body of a request, milliseconds.',
  ),
  KEEP_ALIVE_TIMEOUT_MS: setting(
    count,
    '72000',
    'Time after which a connection without requests is closed, milliseconds. Set it longer than the idle timeout of a proxy in front.',
  ),
  MAX_UNSENT_MB: setting(
    count,
    '128',
    'Memory for replies that clients have not read yet and for bodies that they are still sending, MiB; one caller may use a quarter of it. Beyond that, the slowest readers are disconnected.',
  ),
  MIN_READ_BYTES_PER_SECOND: setting(
    count,
    '8192',
    'Slowest rate at which a client may read a reply, measured over READ_TIMEOUT_MS, bytes per second. Slower clients are disconnected.',
  ),
  READ_TIMEOUT_MS: setting(count, '20000', 'Time over which the rate of a reader is measured, milliseconds.'),
  DOCUMENT_CACHE_MB: setting(
    count,
    '64',
    'Memory of the cache of GraphQL documents, with their plans, statements, introspection results and the texts that clients name by their hash, MiB; 256 parsed documents at most. The texts take an eighth, and as much in Redis.',
  ),
  COMPOSITE_CACHE_MB: setting(count, '256', 'Memory for cached sub-query results of composite queries, MiB.'),
} as const;
