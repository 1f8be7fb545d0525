import type { SharedDocuments } from './shared-documents.js';

/** In one slot of a Redis Cluster, because one script works on all three. */
const keys = ['texts', 'used', 'bytes'].map((name) => `moraine:{documents}:${name}`);
/** What nobody used for so long is forgotten with everything else, milliseconds. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Finds a text, or keeps one, in one atomic step.
 *
 * KEYS: the texts by hash; the hashes by the time of their last use; the bytes of all texts. ARGV: the hash,
 * how long all is kept in ms, and, to keep it, the text and the most bytes. Answers the text, if it is known.
 */
export const documentScript = `
local types = { 'hash', 'zset', 'string' }
for index, key in ipairs(KEYS) do
  local type = redis.call('TYPE', key).ok
  -- A value of another type, which somebody else put there, would have every step fail.
  if type ~= 'none' and type ~= types[index] then redis.call('DEL', unpack(KEYS)) end
end
local texts, used, bytes = KEYS[1], KEYS[2], KEYS[3]
local hash, keep, text, limit = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local known = redis.call('HGET', texts, hash)
if not known and not text then return false end
local time = redis.call('TIME')
redis.call('ZADD', used, tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000), hash)
if not known then
  redis.call('HSET', texts, hash, text)
  local total = (tonumber(redis.call('GET', bytes) or 0) or 0) + #text
  while total > limit do
    local oldest = redis.call('ZPOPMIN', used)[1]
    if not oldest then break end
    total = total - redis.call('HSTRLEN', texts, oldest)
    redis.call('HDEL', texts, oldest)
  end
  redis.call('SET', bytes, total)
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, keep) end
return known or text
`;

/** The Redis that counts limits, or what is done while it cannot be used. */
interface Shared {
  shared<T>(
    inRedis: (redis: {
      moraineDocument(...keysAndValues: (string | number)[]): Promise<string | null>;
    }) => Promise<T>,
    inMemory: () => T | Promise<T>,
  ): Promise<T>;
}

/** Documents in the Redis that counts limits; none while it cannot be used. */
export class RedisDocuments implements SharedDocuments {
  constructor(private readonly store: Shared) {}

  find(sha256: string): Promise<string | undefined> {
    return this.store.shared(
      async (redis) => (await redis.moraineDocument(...keys, sha256, KEPT_MS)) ?? undefined,
      () => undefined,
    );
  }

  keep(sha256: string, text: string, limit: number): Promise<void> {
    return this.store.shared(
      async (redis) => void (await redis.moraineDocument(...keys, sha256, KEPT_MS, text, limit)),
      () => undefined,
    );
  }
}
