import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { messageOf } from '../errors.js';
import type { CallLog } from './call-log.js';
import type { FieldLimit } from './field-limits.js';
import type { LimitStore } from './limit-store.js';
import type { PlanWindows } from './plans.js';
import { documentScript, RedisDocuments } from './redis-documents.js';
import { appendScript, RedisCallLog } from './redis-call-log.js';
import { stepScript } from './redis-script.js';
import { type BlockRules, dayMs, type Outcome } from './windows.js';

export interface RedisStoreOptions {
  /** redis:// or rediss://; may contain a password and is never logged. */
  url: string;
  rules: BlockRules;
  /** Counts while Redis cannot be used. */
  fallback: LimitStore;
  log: Logger;
  /** Milliseconds since 1970. Not given: the clock of the Redis server, which all processes share. */
  now?: () => number;
  /** Time after which `fallback` decides a step that Redis has not answered. */
  timeoutMs?: number;
}

type Reply = [number, number, number, number, number, number, number];

/** Redis with the scripts of this folder. */
export interface ScriptedRedis extends Redis {
  moraineStep(key: string, ...values: (string | number)[]): Promise<Reply>;
  moraineAppend(key: string, ...values: number[]): Promise<number[]>;
  moraineDocument(...keysAndValues: (string | number)[]): Promise<string | null>;
}

const keyPrefix = 'moraine:limit:';
const callsPrefix = 'moraine:calls:';
const probeMs = 250;
const probePlan: PlanWindows = { requests: 1_000_000, seconds: 1, perDay: null };

/**
 * Counts in Redis, shared by every process that uses it. When Redis does not answer, `fallback` decides this
 * and the following steps at once; a probe every quarter of a second finds out when Redis is back.
 */
export class RedisStore implements LimitStore {
  readonly documents = new RedisDocuments(this);
  private readonly redis: ScriptedRedis;
  /** The first connection: the first steps of a process wait for it, as long as they would for an answer. */
  private readonly connected: Promise<void>;
  private probe: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: RedisStoreOptions) {
    this.redis = connect(options.url, options.timeoutMs ?? 1000);
    // Without a listener ioredis prints each error.
    this.redis.on('error', (error: Error) => this.leaveRedis(error));
    this.connected = this.redis.connect();
    this.connected.catch((error: unknown) => this.leaveRedis(error));
  }

  get size(): number {
    return this.options.fallback.size;
  }

  get redisUsed(): boolean {
    return this.redis.status === 'ready' && !this.probe;
  }

  step(identity: string, plan: PlanWindows, cost: number, charge: boolean): Promise<Outcome> {
    return this.shared(
      () => this.stepInRedis(identity, plan, cost, charge),
      () => this.options.fallback.step(identity, plan, cost, charge),
    );
  }

  callLog(name: string, limit: FieldLimit): CallLog {
    const fallback = this.options.fallback.callLog(name, limit);
    return new RedisCallLog(this, `${callsPrefix}${name} `, limit, fallback);
  }

  /** Runs a step in Redis; in memory while Redis cannot be used. */
  async shared<T>(inRedis: (redis: ScriptedRedis) => Promise<T>, inMemory: () => T | Promise<T>): Promise<T> {
    if (this.probe) return inMemory();
    try {
      if (this.redis.status !== 'ready') await this.connected;
      return await inRedis(this.redis);
    } catch (error) {
      this.leaveRedis(error);
      return inMemory();
    }
  }

  close(): void {
    this.closed = true;
    clearInterval(this.probe);
    this.redis.disconnect();
    this.options.fallback.close();
  }

  private async stepInRedis(
    identity: string,
    plan: PlanWindows,
    cost: number,
    charge: boolean,
  ): Promise<Outcome> {
    const { rules, now } = this.options;
    const [admitted, blocked, shortUsed, shortEndsIn, dayUsed, dayEndsIn, wait] =
      await this.redis.moraineStep(
        keyPrefix + identity,
        now ? Math.floor(now()) : '',
        cost,
        charge ? 1 : 0,
        plan.requests,
        plan.seconds * 1000,
        plan.perDay ?? -1,
        dayMs,
        rules.tolerance,
        rules.first,
        rules.longest,
      );
    const flags = { admitted: admitted === 1, blocked: blocked === 1 };
    return { ...flags, shortUsed, shortEndsIn, dayUsed, dayEndsIn, wait };
  }

  private leaveRedis(error: unknown): void {
    if (this.probe || this.closed) return;
    // Not the error itself: the one of a refused AUTH contains the command with the password.
    const reason = messageOf(error);
    this.options.log.warn(
      { reason },
      'Redis cannot be used: this gateway counts rate limits in its own memory',
    );
    this.probe = setInterval(() => void this.tryRedis(), probeMs);
    this.probe.unref();
  }

  // A whole step, because a replica after a failover, or a full Redis, answers PING and still cannot count.
  private async tryRedis(): Promise<void> {
    if (this.redis.status !== 'ready') return;
    try {
      await this.stepInRedis('probe', probePlan, 1, true);
    } catch {
      return;
    }
    if (this.closed || !this.probe) return;
    clearInterval(this.probe);
    this.probe = undefined;
    this.options.log.info('Redis can be used again: rate limits are shared');
  }
}

function connect(url: string, timeoutMs: number): ScriptedRedis {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // A step that waited for Redis to return would keep its request waiting, and be charged late.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), 1000),
    // The former primary became a replica: the name may lead to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  redis.defineCommand('moraineStep', { numberOfKeys: 1, lua: stepScript });
  redis.defineCommand('moraineAppend', { numberOfKeys: 1, lua: appendScript });
  redis.defineCommand('moraineDocument', { numberOfKeys: 3, lua: documentScript });
  return redis as ScriptedRedis;
}
