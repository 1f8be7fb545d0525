import { resolve } from 'node:path';
import { z } from 'zod';
import { boundSettings } from './bound-settings.js';
import { callerSettings } from './caller-settings.js';
import { databaseSettings } from './database-settings.js';
import { followSettings } from './follow-settings.js';
import {
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
    'Processes of `moraine serve` that share its ports; if there are several, one more process keeps them running. auto: one for each core. DATABASE_POOL, DOCUMENT_CACHE_MB, COMPOSITE_CACHE_MB, MAX_REQUESTS_IN_FLIGHT, MAX_CONNECTIONS, MAX_STREAMS and MAX_UNSENT_MB are divided among them; rate limits count over all.',
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
  ...followSettings,
  REDIS_URL: optional(
    redis,
    'Redis in which several gateways share their rate limits, and documents that clients name by their hash. Not set: each counts and remembers in its own memory.',
    true,
  ),
  SAMPLE: setting(onOff, 'on', 'on: load the generated sample chain at start when the database is empty.'),
  LOG_LEVEL: setting(
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    'info',
    'Lowest severity of the log lines that are written.',
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
  ...callerSettings,
  ...boundSettings,
  WORKER: setting(
    onOff,
    'on',
    'off: this gateway leaves NFT reindexing jobs and webhooks to others (see `moraine worker`).',
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
    'true: metadata may be fetched from loopback addresses, and events of webhooks sent to them. For tests only.',
  ),
} as const;
