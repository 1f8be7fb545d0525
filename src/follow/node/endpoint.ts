import type { Logger } from 'pino';
import type { Pauses } from '../pauses.js';
import type { NodeAddress } from './address.js';
import type { BodyBudget } from './body-budget.js';
import { Cooldown } from './cooldown.js';
import { printBatch, printCall, readResult, readResults } from './envelope.js';
import type { NodeError } from './error.js';
import { Failed } from './failed.js';
import type { Figures } from './figures.js';
import { isOfBatch } from './halves.js';
import { Pace } from './pace.js';
import { Poster } from './post.js';
import { infoPath, type Question } from './question.js';
import { SimilarCalls } from './similar-calls.js';
import type { EndpointStatus, HeadChain } from './status.js';

/** Good answers after which an endpoint that was wrong once is trusted as before. */
const TRUSTED_AFTER = 256;

/** A pause after which an endpoint answers is nothing that an operator needs to know. */
const PAUSES_TO_SHOW = 2;

export interface EndpointOptions {
  readonly log: Logger;
  readonly figures: Figures;
  readonly concurrency: number;
  readonly silenceMs: number;
  readonly pauses: Pauses;
  readonly bodies: BodyBudget;
}

/** One address: its connections, its pace, its cooldowns, and the heads that it named. */
export class Endpoint {
  readonly pace: Pace;
  readonly heads: Partial<Record<HeadChain, bigint>> = {};
  /** Whether it is known to belong to the network of the others (membership.ts). */
  isMember = false;
  /** While that is found out. */
  checking: Promise<void> | undefined;
  private readonly poster: Poster;
  /** As a whole: an answer was wrong. */
  private readonly trust: Cooldown;
  /** By path: a chain of a node may bootstrap while another one answers. */
  private readonly paths = new Map<string, Cooldown>();
  private readonly similar: SimilarCalls;
  private lastId = 0;

  /** @param name printable, and no other endpoint's */
  constructor(
    readonly name: string,
    private readonly address: NodeAddress,
    private readonly options: EndpointOptions,
  ) {
    const { concurrency, silenceMs, pauses, bodies } = options;
    this.pace = new Pace(concurrency);
    this.trust = new Cooldown(pauses, TRUSTED_AFTER);
    this.similar = new SimilarCalls(silenceMs);
    this.poster = new Poster(address, { connections: concurrency, silenceMs, bodies });
  }

  /** Milliseconds since 1970 until which no call goes to this path; 0 when it may be asked. */
  restsUntil(path: string): number {
    return Math.max(this.trust.until, ...this.restsOf(path).map(({ until }) => until));
  }

  /** Whether an answer was wrong, and its pause is not over. */
  get isDistrusted(): boolean {
    return this.trust.until > 0;
  }

  /** Why it rests. */
  restError(path: string): NodeError | null {
    const cooldowns = [this.trust, ...this.restsOf(path)];
    return (cooldowns.find(({ until }) => until > 0) ?? cooldowns.at(-1))?.error ?? null;
  }

  /** Whether its head has this height; true when that is not known. */
  has({ chain, height }: { chain: HeadChain; height: bigint }): boolean {
    return (this.heads[chain] ?? height) >= height;
  }

  /**
   * Asks it.
   *
   * @param end of its slot, which is freed
   * @throws Failed; the signal's reason; what `read` throws
   */
  async ask<T>(question: Question<T>, signal: AbortSignal | undefined, end = this.pace.start()): Promise<T> {
    const started = performance.now();
    const { figures } = this.options;
    const took = () => performance.now() - started;
    const count = (outcome: string) => figures.count(question.method, outcome, took() / 1000);
    // Without consequences for the endpoint: it is asked only to judge the other call.
    const ask = (other: Question<unknown>) => this.answer(other, undefined);
    try {
      const value = await this.answer(question, signal);
      this.answered(question.path);
      this.similar.answered(question, value);
      end('good');
      count('ok');
      return value;
    } catch (error) {
      const first = error instanceof Failed ? error : undefined;
      const isResting = () => this.restsUntil(question.path) > 0;
      const again = () => this.answer(question, undefined);
      const options = { tookMs: took(), ask, again, isResting, signal };
      const failed = first && (await this.similar.judge(question, first, options));
      end(failed?.row.endpoint === 'slower' ? 'slow' : 'other');
      count(failed?.row.name ?? 'given-up');
      if (failed && !isOfBatch(question, failed)) this.failed(question, failed);
      throw failed ?? error;
    }
  }

  /** The failure as callers see it. */
  explain(failed: Failed, method: string): NodeError {
    return failed.toNodeError(this.name, method, this.address.hide);
  }

  /** Notes a failure, and starts a cooldown if the table says so. */
  failed({ path, method }: { path: string; method: string }, failed: Failed): void {
    const { row, failure } = failed;
    // Another node may have been started at its address.
    if (row.on === 'connection' && row.name !== 'too-much-at-once') this.isMember = false;
    if (row.endpoint === undefined) {
      this.answered(path);
      return;
    }
    const error = this.explain(failed, method);
    const cooldown = row.endpoint === 'distrusted' ? this.trust : this.cooldownOf(path);
    const spell =
      row.endpoint === 'doubted' ? cooldown.doubted(error) : cooldown.failed(error, failure.retryAfterMs);
    const isNews = cooldown === this.trust ? spell > 0 : spell === PAUSES_TO_SHOW;
    if (isNews) {
      this.options.log.warn(
        { endpoint: this.name, reason: error.reason },
        `a node is not asked for a while: ${error.message}`,
      );
    }
  }

  /** @param best the highest heads that any endpoint named @param slack blocks that it may be behind them */
  status(best: Partial<Record<HeadChain, bigint>>, slack: bigint): EndpointStatus {
    const cooldowns = [this.trust, ...this.paths.values()].filter(({ error }) => error !== null);
    const until = Math.max(0, ...cooldowns.map((cooldown) => cooldown.until));
    const behind = (Object.keys(this.heads) as HeadChain[]).find(
      (chain) => this.heads[chain]! + slack < (best[chain] ?? 0n),
    );
    const chain = this.address.isRpc ? 'chain' : `${behind}-chain`;
    const lag = behind && `its ${chain} is ${best[behind]! - this.heads[behind]!} blocks behind`;
    return {
      name: this.name,
      state: cooldowns.length > 0 ? 'aside' : lag ? 'lagging' : 'ok',
      reason: cooldowns[0]?.error?.message ?? lag ?? null,
      until: until > 0 ? until : null,
      running: this.pace.running,
      allowed: this.pace.allowed,
      heads: { ...this.heads },
    };
  }

  close(): Promise<void> {
    return this.poster.close();
  }

  private async answer<T>(question: Question<T>, signal: AbortSignal | undefined): Promise<T> {
    const { path, calls, maxBytes, silences = 1 } = question;
    const silenceMs = silences * this.options.silenceMs;
    const first = this.lastId + 1;
    this.lastId += calls.length;
    const isBatch = calls.length > 1;
    const body = isBatch ? printBatch(first, calls) : printCall(first, calls[0]!);
    const reply = await this.poster.post({ path, body, maxBytes, silenceMs, signal });
    const results = isBatch
      ? readResults(path, reply, first, calls.length)
      : [readResult(path, reply, first)];
    return question.read(results, this.name);
  }

  private answered(path: string): void {
    this.trust.answered();
    const spell = this.paths.get(path)?.answered() ?? 0;
    if (spell < PAUSES_TO_SHOW) return;
    const where = this.address.isRpc ? '' : ` at ${path}`;
    this.options.log.info({ endpoint: this.name }, `${this.name} answers again${where}`);
  }

  /** The cooldowns that bar a call to this path; an endpoint of unknown network is asked for it first. */
  private restsOf(path: string): Cooldown[] {
    const paths = this.isMember ? [path] : [infoPath, path];
    return paths.map((each) => this.paths.get(each)).filter((rest) => rest !== undefined);
  }

  private cooldownOf(path: string): Cooldown {
    const known = this.paths.get(path) ?? new Cooldown(this.options.pauses, 1);
    this.paths.set(path, known);
    return known;
  }
}
