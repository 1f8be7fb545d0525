import { z } from 'zod';
import { count, json, list, onOff, optional, setting, text, wholeNumber } from './setting.js';

/** Settings of who calls and how often: keys, plans, rate limits. */
export const callerSettings = {
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
      'requests: allowed in each window of so many seconds; perDay: allowed in 24 hours, null for no such limit; streams: open at the same time in each process, 0 for none; events: sent by all of these in each window, more wait; rights: a list that may contain reindex and documents (see TRUSTED_OPERATIONS); null instead of a plan removes it. ' +
      'fields: limits of single GraphQL fields, {"Query.compositeQuery": {"calls": 100, "seconds": 60}}, null for none; a REST request calls the fields that it uses. ' +
      'Defaults, requests in 60 seconds and per day: anonymous 6000 and 1000000, free 8000 and 2000000, base 10000 and 4000000, growth 14000 and 10000000, pro 20000 and 25000000; streams: anonymous 10, free 100, base 200, growth 500, pro 1000; events: as many as requests; all have the right reindex, none has documents.',
  ),
  TRUSTED_OPERATIONS: optional(
    text,
    'Folder of GraphQL operations in JSON files ({id: document}), as the client preset of graphql-codegen and the compiler of Relay write them. /graphql then answers only these, named by their ids, and the documents of the explorer, except for callers whose plan has the right documents. Not set: any document is answered.',
  ),
  COST_PER_REQUEST: setting(
    z
      .union([z.literal('off'), count])
      .transform((value) => (value === 'off' ? null : value))
      .describe('a whole number from 1 on, or off'),
    '500',
    'The cost of a GraphQL operation (see MAX_COST) that counts as one request of its plan, if that is more than one request for each root field. A REST request always counts as one. off: operations are charged by root fields only.',
  ),
  MAX_WEBHOOKS: setting(
    wholeNumber(0, 1000),
    '20',
    'Maximum number of webhooks that an API key may have active at the same time. 0: none can be made.',
  ),
  MAX_WEBHOOK_ADDRESSES: setting(wholeNumber(1, 10_000), '256', 'Maximum number of addresses of a webhook.'),
  WEBHOOK_KEY: optional(
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/)
      .describe('a key of 64 hexadecimal digits'),
    'Key with which the shared secrets of webhooks are encrypted in the database (AES-256-GCM), 64 hexadecimal digits, for example of `openssl rand -hex 32`. All gateways and workers of a database need the same. Not set: a key that is made of a secret in the same database.',
    true,
  ),
  TRUSTED_PROXIES: setting(
    list,
    '',
    'Addresses or CIDR ranges, separated by commas, whose X-Forwarded-For is trusted. Empty: none.',
  ),
} as const;
