import { defaultTextMapGetter, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { beginFetch, OtlpJob, OtlpRequest } from './otlp-spans.js';
import type { Tracing, TracingConfig } from './tracing.js';

/** Spans that wait to be sent; further ones are dropped. About 1 kB each. */
const QUEUE = 4096;
const BATCH = 512;
/** Time between two batches, milliseconds; a full batch goes at once. */
const SEND_EVERY_MS = 2000;
/** Time for one batch, repetitions included, milliseconds. */
const SEND_TIMEOUT_MS = 3000;
/** Time for the remaining spans at the end, milliseconds: a stop has ten seconds in all. */
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
    // A caller may keep its trace out, but not force it in beyond our sampling rate.
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
      return new OtlpRequest(tracer, span, method);
    },
    fetch: (method, origin) => beginFetch(tracer, ROOT_CONTEXT, method, origin),
    job: (queue, jobId) => new OtlpJob(tracer, queue, jobId),
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
          log.warn({ url, reason: result.error?.message }, 'traces cannot be sent and are dropped');
        if (!failed && failing) log.info({ url }, 'traces are sent again');
        failing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
