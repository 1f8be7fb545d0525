/**
 * `step` of windows.ts, run by Redis as one atomic step, so that two processes cannot count at once.
 *
 * KEYS[1] the client's account, a hash. ARGV: the time in ms ('' = Redis' own clock, which all processes
 * share), cost, charge (1 or 0), requests, window ms, requests per day (-1 = no limit), day ms, tolerance,
 * first block ms, longest block ms. Answers {admitted, blocked, short used, short ends in, day used, day ends
 * in, wait}.
 */
export const stepScript = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local cost, charge = tonumber(ARGV[2]), ARGV[3] == '1'
local requests, windowMs = tonumber(ARGV[4]), tonumber(ARGV[5])
local perDay, dayMs = tonumber(ARGV[6]), tonumber(ARGV[7])
local tolerance, firstBlock, longestBlock = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])

local account = redis.pcall('HMGET', KEYS[1],
  'shortStart', 'shortUsed', 'dayStart', 'dayUsed', 'refused', 'blocks', 'blockedUntil')
-- A value of another type, which somebody else put there, would have every step of this client fail.
if account.err then
  redis.call('DEL', KEYS[1])
  account = {}
end
for index = 1, 7 do account[index] = tonumber(account[index] or 0) or 0 end
local shortStart, shortUsed, dayStart, dayUsed, refused, blocks, blockedUntil = unpack(account)

local function blockLength(before) return math.min(firstBlock * 2 ^ math.min(before, 30), longestBlock) end
if charge then
  shortStart, dayStart = math.min(shortStart, now), math.min(dayStart, now)
  blockedUntil = math.min(blockedUntil, now + blockLength(blocks - 1))
end

local function open(start, used, length)
  start = math.min(start, now)
  if now < start + length then return start, used, start + length - now end
  return now, 0, length
end
local shortBegan, dayBegan = shortStart, dayStart
local shortEndsIn, dayEndsIn
shortStart, shortUsed, shortEndsIn = open(shortStart, shortUsed, windowMs)
dayStart, dayUsed, dayEndsIn = open(dayStart, dayUsed, dayMs)

local shortFull = shortUsed + cost > requests
local dayFull = perDay >= 0 and dayUsed + cost > perDay
local admitted = cost < 0 or (not shortFull and not dayFull and blockedUntil <= now)
if charge then
  if admitted then
    shortUsed, dayUsed = math.max(0, shortUsed + cost), math.max(0, dayUsed + cost)
    redis.call('HSET', KEYS[1], 'shortStart', shortStart, 'shortUsed', shortUsed,
      'dayStart', dayStart, 'dayUsed', dayUsed, 'refused', 0)
  else
    refused = refused + 1
    if refused > tolerance then
      if now >= blockedUntil + longestBlock then blocks = 0 end
      blockedUntil = math.max(blockedUntil, now + blockLength(blocks))
      blocks, refused = blocks + 1, 0
    end
    redis.call('HSET', KEYS[1], 'refused', refused, 'blocks', blocks, 'blockedUntil', blockedUntil,
      'shortStart', shortBegan, 'dayStart', dayBegan)
  end
  local keep = shortEndsIn
  if perDay >= 0 then keep = math.max(keep, dayEndsIn) end
  if blocks > 0 then keep = math.max(keep, blockedUntil - now + longestBlock) end
  redis.call('PEXPIRE', KEYS[1], keep)
end

local blockedFor, wait = math.max(0, blockedUntil - now), 0
if not admitted then
  wait = math.max(blockedFor, shortFull and shortEndsIn or 0, dayFull and dayEndsIn or 0)
end
return { admitted and 1 or 0, blockedFor > 0 and 1 or 0, shortUsed, shortEndsIn, dayUsed, dayEndsIn, wait }
`;
