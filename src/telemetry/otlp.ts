import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestTrace, Tracing, TracingConfig } from './tracing.js';

/** Spans that wait to be sent; further ones are dropped. About 1 kB each. */
const QUEUE = 4096;
const BATCH = 512;
/** Time between two batches, milliseconds; a full batch goes at once. */
const SEND_EVERY_MS = 2000;
/** Time for one batch, repetitions included, milliseconds. */
const SEND_TIMEOUT_MS = 3000;
/** Time for what is left at the end, milliseconds: a stop has ten seconds in all. */
const CLOSE_MS = 1000;

const propagator = new W3CTraceContextPropagator();

/** Sends traces to `<endpoint>/v1/traces` as OTLP over HTTP, in JSON. */
export function exportTraces(
  config: Omit<TracingConfig, 'OTEL_EXPORTER_OTLP_ENDPOINT'> & { endpoint: string },
  log: Logger,
): Tracing {
  const url = `${config.endpoint}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS, concurrencyLimit: 2 });
  const ratio = new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.OTEL_SERVICE_NAME }),
    // A caller may keep its trace out, not force it in beyond our share.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellingFailures(exporter, url, log),
        maxQueueSize: QUEUE,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('moraine');
  return {
    begin(method, headers) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
        parent,
      );
      return new OtlpTrace(tracer, span, method);
    },
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(CLOSE_MS, undefined, { ref: false }),
      ]);
    },
  };
}

/** One warning when sending begins to fail, one line when it works again. */
function tellingFailures(exporter: SpanExporter, url: string, log: Logger): SpanExporter {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing)
          log.warn({ url, reason: result.error?.message }, 'traces cannot be sent and are dropped meanwhile');
        if (!failed && failing) log.info({ url }, 'traces are sent again');
        failing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

class OtlpTrace implements RequestTrace {
  readonly traceId: string;
  private readonly context: Context;
  /** What statements are children of: the operation that runs, else the request. */
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
