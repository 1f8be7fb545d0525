import { faviconLink } from './favicon.js';
import { Html, markup } from './markup.js';

/**
 * A page of ours, in the colours of the reader's system.
 *
 * @param more of the head: styles and scripts
 */
export function page(title: string, more: Html, body: Html): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${new Html(faviconLink)}
${more}
</head>
<body>
${body}
</body>
</html>
`.text;
}
