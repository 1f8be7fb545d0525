import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a person reads the reply: a browser opens an address, or a program prefers HTML to JSON. Java's
 * clients list HTML by default, with images and without XHTML, and want JSON.
 */
export function prefersHtml({ accept, ...headers }: IncomingHttpHeaders): boolean {
  if (!accept?.includes('text/html')) return false;
  const ranges = qualities(accept.toLowerCase());
  const json = ranges.get('application/json') ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;
  if ((ranges.get('text/html') ?? 0) <= json) return false;
  return (
    headers['sec-fetch-mode'] === 'navigate' ||
    ranges.has('application/xhtml+xml') ||
    !ranges.has('image/gif')
  );
}

/** Whether a client wants CSV: it names it, and prefers it to JSON where it names both. */
export function prefersCsv({ accept }: IncomingHttpHeaders): boolean {
  if (!accept?.toLowerCase().includes('text/csv')) return false;
  const ranges = qualities(accept.toLowerCase());
  const csv = ranges.get('text/csv') ?? 0;
  return csv > 0 && csv > (ranges.get('application/json') ?? 0);
}

/** The weight of each media range, 0 to 1 (RFC 9110, section 12.4.2). */
function qualities(accept: string): Map<string, number> {
  return new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((each) => each.trim());
      const quality = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [type, quality === undefined ? 1 : Number(quality) || 0];
    }),
  );
}
