import { createHash } from 'node:crypto';

/** The Content-Security-Policy of a page: it loads only what they name, and no other site may frame it. */
export function contentSecurityPolicy(directives: Readonly<Record<string, readonly string[]>>): string {
  const all = {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
    ...directives,
  };
  return Object.entries(all)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** The sources that allow the inline scripts or styles of a page, by their hashes. */
export function inlineHashes(html: string, element: 'script' | 'style'): string[] {
  const sources: string[] = [];
  const opening = `<${element}>`;
  for (let start = html.indexOf(opening); start >= 0;) {
    const end = html.indexOf(`</${element}>`, start);
    if (end < 0) break;
    const text = html.slice(start + opening.length, end);
    sources.push(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    start = html.indexOf(opening, end);
  }
  return sources;
}
