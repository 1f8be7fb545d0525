import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import type { OutboundEnd } from '../outbound/observer.js';
import type { JobOutcome, JobTrace, RequestTrace } from './tracing.js';

/** Longest host name that is sent, characters; a foreign address may contain a longer one. */
const HOST_LENGTH = 255;

export function beginFetch(tracer: Tracer, parent: Context, method: string, origin: URL | undefined) {
  const attributes = {
    'http.request.method': method,
    ...(origin && {
      'server.address': origin.hostname.slice(0, HOST_LENGTH),
      'server.port': Number(origin.port || (origin.protocol === 'https:' ? 443 : 80)),
      'url.scheme': origin.protocol.slice(0, -1),
    }),
  };
  const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent);
  return ({ status, bytes, reason }: OutboundEnd): void => {
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (bytes !== undefined) span.setAttribute('http.response.body.size', bytes);
    const failure = reason ?? (status !== undefined && status >= 400 ? String(status) : undefined);
    if (failure !== undefined) {
      span.setAttribute('error.type', failure);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
}

/** The spans of a run of a job. */
export class OtlpJob implements JobTrace {
  private readonly span: Span;
  private readonly context: Context;

  constructor(
    private readonly tracer: Tracer,
    queue: string,
    jobId: string,
  ) {
    const attributes = { 'moraine.job.queue': queue, 'moraine.job.id': jobId };
    this.span = tracer.startSpan(`job ${queue}`, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT);
    this.context = trace.setSpan(ROOT_CONTEXT, this.span);
  }

  fetch(method: string, origin: URL | undefined): (end: OutboundEnd) => void {
    return beginFetch(this.tracer, this.context, method, origin);
  }

  end(outcome: JobOutcome): void {
    this.span.setAttribute('moraine.job.outcome', outcome);
    if (outcome !== 'done' && outcome !== 'none') this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

export class OtlpRequest implements RequestTrace {
  readonly traceId: string;
  private readonly context: Context;
  /** The parent of statements: the running operation, else the request. */
  private parent: Context;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
    private readonly method: string,
  ) {
    this.traceId = span.spanContext().traceId;
    this.context = trace.setSpan(ROOT_CONTEXT, span);
    this.parent = this.context;
  }

  operation(type: string, name: string | undefined): (failed: boolean) => void {
    const attributes = { 'graphql.operation.type': type, ...(name && { 'graphql.operation.name': name }) };
    const span = this.tracer.startSpan(name ? `${type} ${name}` : type, { attributes }, this.context);
    this.parent = trace.setSpan(this.context, span);
    return (failed) => {
      this.parent = this.context;
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
  }

  statement(name: string): (rows: number, error?: unknown) => void {
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.parent);
    return (rows, error) => {
      span.setAttribute('db.response.returned_rows', rows);
      const code = (error as { code?: unknown } | undefined)?.code;
      if (typeof code === 'string') span.setAttribute('db.response.status_code', code);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
  }

  end({ route, status, aborted, requestId }: Parameters<RequestTrace['end']>[0]): void {
    this.span.updateName(`${this.method} ${route}`);
    this.span.setAttributes({
      'http.route': route,
      'http.response.status_code': status,
      'moraine.request_id': requestId,
      ...(aborted && { 'moraine.aborted': true }),
    });
    if (status >= 500) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}
