import { text } from 'node:stream/consumers';
import { serveHttp } from './loopback.js';

/** A span as a collector of OpenTelemetry gets it, with its attributes as an object. */
export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  status: { code?: number };
  attributes: Record<string, unknown>;
}

/** A collector that accepts OTLP over HTTP, in JSON. */
export interface Collector {
  url: string;
  /** All spans so far. */
  spans: () => CollectedSpan[];
  /** Values of service.name, each once. */
  services: () => string[];
  close: () => Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
}

/** Starts a collector on a free loopback port. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const services = new Set<string>();
  const server = await serveHttp((request, response) => {
    void text(request).then((body) => {
      if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json')
        return response.writeHead(400).end();
      const { resourceSpans } = JSON.parse(body) as ExportRequest;
      for (const { resource, scopeSpans } of resourceSpans) {
        services.add(String(objectOf(resource.attributes)['service.name']));
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...span, attributes: objectOf(span.attributes) });
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { url: server.url, spans: () => spans, services: () => [...services], close: server.close };
}

function objectOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue),
    ]),
  );
}
