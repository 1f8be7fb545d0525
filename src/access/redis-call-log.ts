import type { CallLog } from './call-log.js';
import type { FieldLimit } from './field-limits.js';
import type { RedisStore } from './redis-store.js';

/**
 * `append` of MemoryCallLog, run by Redis as one atomic step.
 *
 * KEYS[1] the caller's calls, a list of times. ARGV: the caller's time in ms, calls, the most calls, window
 * ms.
 */
export const appendScript = `
local now, calls = tonumber(ARGV[1]), tonumber(ARGV[2])
local most, windowMs = tonumber(ARGV[3]), tonumber(ARGV[4])
local earlier, over = {}, 0
local texts = redis.pcall('LRANGE', KEYS[1], 0, -1)
-- A value of another type, which somebody else put there.
if texts.err then
  redis.call('DEL', KEYS[1])
  texts = {}
end
for index, text in ipairs(texts) do
  local time = tonumber(text) or now
  if time > now then
    time = now
    redis.call('LSET', KEYS[1], index - 1, ARGV[1])
  end
  if time + windowMs > now then
    earlier[#earlier + 1] = time
  elseif #earlier == 0 then
    over = over + 1
  end
end
if over > 0 then redis.call('LTRIM', KEYS[1], over, -1) end
if calls > 0 and #earlier + calls <= most then
  for _ = 1, calls do redis.call('RPUSH', KEYS[1], ARGV[1]) end
  redis.call('PEXPIRE', KEYS[1], windowMs)
end
return earlier
`;

/**
 * Calls remembered in Redis, shared by every process that uses it; those of the fallback while Redis cannot
 * be used.
 */
export class RedisCallLog implements CallLog {
  constructor(
    private readonly store: RedisStore,
    private readonly keyPrefix: string,
    private readonly limit: FieldLimit,
    private readonly fallback: CallLog,
  ) {}

  append(caller: string, calls: number, now: number): Promise<readonly number[]> {
    const { calls: most, seconds } = this.limit;
    return this.store.shared(
      (redis) => redis.moraineAppend(this.keyPrefix + caller, Math.floor(now), calls, most, seconds * 1000),
      () => this.fallback.append(caller, calls, now),
    );
  }

  takeBack(caller: string, calls: number): Promise<void> {
    return this.store.shared(
      async (redis) => void (await redis.ltrim(this.keyPrefix + caller, 0, -1 - calls)),
      () => this.fallback.takeBack(caller, calls),
    );
  }
}
