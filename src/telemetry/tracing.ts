import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { OutboundObserver } from '../outbound/observer.js';

/** The spans of one request. */
export interface RequestTrace {
  /** 32 hex digits. */
  readonly traceId: string;
  /**
   * Begins the span of a GraphQL operation; the statements that follow are its children. Call the returned
   * function at its end.
   */
  operation(type: string, name: string | undefined): (failed: boolean) => void;
  /** Begins the span of a read; call the returned function at its end. */
  statement(name: string): (rows: number, error?: unknown) => void;
  /** Ends the request's own span. */
  end(outcome: { route: string; status: number; aborted: boolean; requestId: string }): void;
}

/** How a run of a job ended: `again` runs it once more, `none` found nothing to do. */
export type JobOutcome = 'done' | 'again' | 'failed' | 'none' | 'dropped' | 'broken';

/** The spans of one run of a job: its fetches are children of its own span. */
export interface JobTrace extends OutboundObserver {
  /** Ends the run's own span. */
  end(outcome: JobOutcome): void;
}

/** Sends traces to a collector. A fetch that belongs to no request or job is its own trace. */
export interface Tracing extends OutboundObserver {
  /** Begins a trace, or continues the one that a well-formed `traceparent` header names. */
  begin(method: string, headers: IncomingHttpHeaders): RequestTrace;
  /** Begins the trace of one run of a job. */
  job(queue: string, jobId: string): JobTrace;
  /** Sends the waiting spans, for about a second at most. */
  close(): Promise<void>;
}

export type TracingConfig = Pick<
  Config,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'
>;

/** Tracing if an endpoint is configured; its packages are loaded only then. */
export async function openTracing(config: TracingConfig, log: Logger): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { exportTraces } = await import('./otlp.js');
  return exportTraces({ ...config, endpoint }, log);
}
