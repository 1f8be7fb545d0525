import { shorten } from '../../errors.js';
import type { Endpoint } from './endpoint.js';
import { NodeError, type NodeErrorClass } from './error.js';
import type { ErrorRow } from './error-row.js';
import { rowNamed } from './error-table.js';
import type { Failed } from './failed.js';
import { pauseAfter, type Pauses } from '../pauses.js';

/** Longest message that names several endpoints. */
const MESSAGE_CHARACTERS = 800;
/** The order of failures: if endpoints failed in several ways, the most hopeful one is thrown. */
const order: readonly NodeErrorClass[] = ['wait', 'operator', 'refused', 'elsewhere'];

/** The failures of one call: which endpoints to skip, when to try again, and what to throw. */
export class Failures {
  private readonly byEndpoint = new Map<Endpoint, { error: NodeError; row: ErrorRow }>();
  /** How often each endpoint failed in each way. */
  private readonly times = new Map<string, number>();
  private round = 0;
  /** Milliseconds since 1970 at which patience is over; null while nothing has failed. */
  private deadline: number | null = null;
  /** How often an endpoint was asked and failed; 0: the call has only waited for cooldowns. */
  private failed = 0;

  constructor(
    private readonly call: { readonly path: string; readonly method: string },
    /** Those that are asked. */
    readonly endpoints: readonly Endpoint[],
    private readonly patienceMs: number,
  ) {}

  add(endpoint: Endpoint, failed: Failed): void {
    this.failed += 1;
    this.times.set(wayOf(endpoint, failed.row), this.timesOf(endpoint, failed.row) + 1);
    this.deadline ??= Date.now() + this.patienceMs;
    this.byEndpoint.set(endpoint, {
      error: endpoint.explain(failed, this.call.method),
      row: failed.row,
    });
  }

  /**
   * There is an endpoint to ask, perhaps behind thousands of other calls: patience is for what fails, and
   * begins with the first failure.
   */
  noteUsable(): void {
    if (this.failed === 0) this.deadline = null;
  }

  /** How often an endpoint failed. */
  get count(): number {
    return this.failed;
  }

  /** Milliseconds of patience that are left. */
  get patienceLeftMs(): number {
    return this.deadline === null ? this.patienceMs : Math.max(0, this.deadline - Date.now());
  }

  has(endpoint: Endpoint): boolean {
    return this.byEndpoint.has(endpoint);
  }

  /**
   * Every endpoint failed or rests: how many milliseconds to wait before they are asked again.
   *
   * @throws NodeError when asking again is useless, or the call's patience is over
   */
  nextRound(pauses: Pauses): number {
    this.round += 1;
    this.deadline ??= Date.now() + this.patienceMs;
    const left = this.deadline - Date.now();
    if (left <= 0 || this.endpoints.every((endpoint) => this.isFinal(endpoint))) throw this.error();
    const cooldowns = this.endpoints.map((endpoint) => endpoint.restsUntil(this.call.path) - Date.now());
    const shortest = cooldowns.some((rest) => rest <= 0)
      ? pauseAfter(this.round, pauses)
      : Math.min(...cooldowns);
    for (const [endpoint, { row }] of this.byEndpoint) {
      if (!row.lasting) this.byEndpoint.delete(endpoint);
    }
    return Math.min(left, shortest);
  }

  private isFinal(endpoint: Endpoint): boolean {
    const row = this.byEndpoint.get(endpoint)?.row ?? rowNamed(endpoint.restError(this.call.path)?.reason);
    if (!row) return false;
    // A round in which it rested because of another call says nothing of this one. Nor does one in which it
    // failed otherwise: that a call alone is refused must be seen in each of its rounds.
    const isOften = this.timesOf(endpoint, row) >= (row.rounds ?? Infinity);
    return row.lasting === true || row.class === 'operator' || isOften;
  }

  private timesOf(endpoint: Endpoint, row: ErrorRow): number {
    return this.times.get(wayOf(endpoint, row)) ?? 0;
  }

  private error(): NodeError {
    const each = this.endpoints.map(
      (endpoint) => this.byEndpoint.get(endpoint)?.error ?? endpoint.restError(this.call.path),
    );
    const errors = each.filter((error) => error !== null);
    const reasons = each.map((error) => error?.reason ?? null);
    const first = order
      .map((wanted) => errors.find(({ failureClass }) => failureClass === wanted))
      .find((error) => error !== undefined);
    if (!first)
      return new NodeError('wait', 'no-endpoint', `${this.call.method}: no node is available`, null, reasons);
    const others = errors.filter((error) => error !== first).map(({ message }) => message);
    const message = shorten([first.message, ...new Set(others)].join('; '), MESSAGE_CHARACTERS);
    return new NodeError(first.failureClass, first.reason, message, first.endpoint, reasons);
  }
}

const wayOf = (endpoint: Endpoint, { name, class: failureClass }: ErrorRow) =>
  `${failureClass} ${name} ${endpoint.name}`;
