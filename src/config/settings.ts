import { resolve } from 'node:path';
import { z } from 'zod';
import { databaseSettings } from './database-settings.js';
import {
  count,
  json,
  list,
  onOff,
  oneOf,
  optional,
  origin,
  port,
  processes,
  publishedUrl,
  redis,
  setting,
  text,
  trueFalse,
  url,
  wholeNumber,
} from './setting.js';

/** Every setting of Moraine. Only this folder names environment variables. */
export const settings = {
  HOST: setting(text, '127.0.0.1', 'Address to listen on. 0.0.0.0 serves every interface.'),
  PORT: setting(port, '4000', 'TCP port to listen on. 0 takes a free one.'),
  METRICS_PORT: optional(port, 'A second TCP port that serves only the /v2 paths. Not set: none.'),
  PROMETHEUS_PORT: optional(
    port,
    'A TCP port that serves only /metrics and the health checks; the other ports then have no /metrics. Not set: /metrics is on PORT.',
  ),
  PROCESSES: setting(
    processes,
    '1',
    'Processes of `moraine serve` that share its ports; if there are several, one more process keeps them running. auto: one for each core. DATABASE_POOL, DOCUMENT_CACHE_MB, COMPOSITE_CACHE_MB, MAX_REQUESTS_IN_FLIGHT, MAX_CONNECTIONS and MAX_UNSENT_MB are divided among them; rate limits count over all.',
  ),
  PUBLIC_URL: optional(
    publishedUrl,
    'URL at which clients reach this server; used in printed links and OpenAPI.',
  ),
  METRICS_URL: optional(
    publishedUrl,
    'URL at which clients reach the /v2 paths. Not set: the same as PUBLIC_URL.',
  ),
  DATA_DIR: setting(
    text.transform((path) => resolve(path)),
    './data',
    'Folder of the embedded database.',
  ),
  ...databaseSettings,
  REDIS_URL: optional(
    redis,
    'Redis in which several gateways share their rate limits. Not set: each counts in its own memory.',
    true,
  ),
  SAMPLE: setting(onOff, 'on', 'on: load the generated sample chain at start when the database is empty.'),
  LOG_LEVEL: setting(
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'info',
    'Least severe log line that is written.',
  ),
  LOG_FORMAT: setting(
    oneOf(['auto', 'json', 'text']),
    'auto',
    'json: each log line is a JSON object. text: each is a sentence for people. auto: text if the log goes to a terminal, otherwise JSON.',
  ),
  REQUEST_LOG: setting(
    onOff,
    'off',
    'on: one log line for each request (LOG_LEVEL info or debug), and its id in the header x-request-id.',
  ),
  SLOW_REQUEST_MS: setting(
    wholeNumber(0),
    '1000',
    'Requests that take this long or longer are logged as warnings, milliseconds. 0: none.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url,
    'Collector to which traces are sent as OTLP/HTTP (JSON, path /v1/traces), for example http://127.0.0.1:4318. Not set: no traces. The exporter reads OTEL_EXPORTER_OTLP_HEADERS itself.',
  ),
  OTEL_SERVICE_NAME: setting(text, 'moraine', 'Name of this service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.coerce.number().min(0).max(1).describe('a number from 0 to 1'),
    '1',
    'Share of traces that is sent, 0 to 1. A request whose traceparent is not sampled is not traced.',
  ),
  CORS_ORIGIN: setting(
    list
      .pipe(z.array(z.union([z.literal('*'), origin])))
      .describe('* or origins such as https://wallet.example, separated by commas'),
    '*',
    'Origins from which browsers may call, separated by commas. *: any.',
  ),
  API_KEY_HEADER: setting(
    z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .describe('the name of a header in lower case: a-z, 0-9 and -'),
    'x-glacier-api-key',
    'A second header, in addition to x-service-api-key, that may carry the API key.',
  ),
  RATE_LIMITS: setting(onOff, 'on', 'off: no rate limits, for tests and private use.'),
  RATE_LIMIT_TOLERANCE: setting(
    wholeNumber(0),
    '200',
    'Refusals (429) in a row after which a client that goes on is blocked for longer than its rate limit requires.',
  ),
  RATE_LIMIT_BLOCK_SECONDS: setting(
    count,
    '60',
    'Length of the first block of a client that goes on after 429; each further one is twice as long, seconds.',
  ),
  RATE_LIMIT_BLOCK_MAX_SECONDS: setting(
    count,
    '3600',
    'Longest block of a client, seconds. After the same time without a block, the next block is as short as the first.',
  ),
  PLANS: optional(
    json,
    'Plans as JSON, merged over the defaults: {"free": {"requests": 60, "seconds": 60, "perDay": 10000, "rights": ["reindex"]}}. ' +
      'requests: allowed in each window of so many seconds; perDay: allowed in 24 hours, null for no such limit; rights: a list that may contain reindex; null instead of a plan removes it. ' +
      'fields: limits of single GraphQL fields, {"Query.compositeQuery": {"calls": 100, "seconds": 60}}, null for none; a REST request calls the fields that it uses. ' +
      'Defaults, requests in 60 seconds and per day: anonymous 6000 and 1000000, free 8000 and 2000000, base 10000 and 4000000, growth 14000 and 10000000, pro 20000 and 25000000; all have the right reindex.',
  ),
  COST_PER_REQUEST: optional(
    count,
    'The cost of a GraphQL operation (see MAX_COST) that counts as one request of its plan, if that is more than one request for each root field. A REST request always counts as one. Not set: operations are charged by root fields only.',
  ),
  TRUSTED_PROXIES: setting(
    list,
    '',
    'Addresses or CIDR ranges, separated by commas, whose X-Forwarded-For is trusted. Empty: none.',
  ),
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
    'Maximum number of requests that a gateway answers at the same time; one caller may have a quarter of them. Further requests are refused with 503 at once.',
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
    'Maximum number of client connections of a gateway; one caller may have a quarter of them. Beyond that, the connection that has made no progress for longest is closed.',
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
    'Memory of the cache of GraphQL documents, with their plans, statements and introspection results, MiB; 256 documents at most.',
  ),
  COMPOSITE_CACHE_MB: setting(count, '256', 'Memory for cached sub-query results of composite queries, MiB.'),
  WORKER: setting(
    onOff,
    'on',
    'off: this gateway leaves NFT reindexing jobs to others (see `moraine worker`).',
  ),
  REINDEX_REQUIRES_KEY: setting(trueFalse, 'false', 'true: reindexing NFT metadata needs an API key.'),
  // Secret, because these addresses often contain a key.
  RPC_URLS: setting(
    json
      .pipe(z.record(z.string().regex(/^\d+$/), url))
      .describe('a JSON object of addresses by EVM chain id, such as {"43114": "https://rpc.example"}'),
    '{}',
    'JSON-RPC address by EVM chain id, as JSON: {"43114": "https://…"}. Trusted: it may be a loopback or private address.',
    true,
  ),
  IPFS_GATEWAY: optional(
    url,
    'HTTP gateway that resolves ipfs:// addresses, for example https://ipfs.example. Trusted: it may be a loopback or private address.',
  ),
  ARWEAVE_GATEWAY: optional(
    url,
    'HTTP gateway that resolves ar:// addresses, for example https://arweave.example. Trusted: it may be a loopback or private address.',
  ),
  FETCH_ALLOW_LOOPBACK: setting(
    trueFalse,
    'false',
    'true: metadata may be fetched from loopback addresses. For tests only.',
  ),
} as const;
