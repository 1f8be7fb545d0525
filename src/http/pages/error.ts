import type { AppError } from '../../errors.js';
import { contentSecurityPolicy, inlineHashes } from '../content-security.js';
import { Html, markup } from './markup.js';
import { page } from './page.js';

/** Short, so that a page is not large enough to be compressed. */
const style =
  'body{max-width:40rem;margin:3rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}p{overflow-wrap:anywhere}';

const policy = contentSecurityPolicy({
  'style-src': inlineHashes(`<style>${style}</style>`, 'style'),
  'img-src': ["'self'"],
});

/** Headers of the page, in addition to those of the refusal. */
export const errorPageHeaders = { 'content-security-policy': policy };

/** A refusal for people: what is wrong, when to try again, and the way back. */
export function errorPage({ status, title, messages, retryAfterSeconds }: AppError): string {
  const heading = `${status} ${title}`;
  const again = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`;
  return page(
    `${heading} - Moraine`,
    markup`<style>${new Html(style)}</style>`,
    markup`<h1>${heading}</h1>
${[messages].flat().map((message) => markup`<p>${message}.${again}</p>\n`)}<p><a href="/">Back to Moraine</a></p>`,
  );
}
