import { chainName } from '../../avalanche/networks.js';
import { firstRequests, type FirstRequest } from './first-requests.js';
import { version } from '../../package.js';
import { homeStyle } from './home-style.js';
import type { LedgerRows } from '../../resource.js';
import type { Count, FirstScreen, Holdings, LedgerHoldings } from './holdings.js';
import { Html, markup } from './markup.js';
import { page } from './page.js';

const links = [
  {
    href: '/explore',
    title: 'Explorer',
    text: 'Search, transactions with their picture, addresses, blocks.',
  },
  { href: '/graphql', title: 'GraphiQL', text: 'Explore the GraphQL API; opens with examples.' },
  { href: '/docs', title: 'REST API', text: 'Every endpoint, with documentation and a form to try it.' },
  { href: '/openapi.json', title: 'OpenAPI', text: 'The REST API as a document for tools.' },
  { href: '/health', title: 'Health', text: 'Whether the process runs; /ready checks the database too.' },
  { href: '/metrics', title: 'Metrics', text: 'Numbers for Prometheus.' },
];

// Without a secure context there is no clipboard: then the text is selected, to be copied by hand.
const script = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}
`;

/**
 * The first screen: what this is, what it contains, where to go and what to try.
 *
 * @param holdings null when the database cannot be read now
 * @param base address under which the client reaches the service
 */
export function homePage({ countedByLedger }: FirstScreen, holdings: Holdings | null, base: string): string {
  const body = markup`<main>
<h1>Moraine</h1>
<p class="lead">A data gateway for Avalanche-family chains: UTXOs, transactions, vertices, internal transactions, interchain messages and metrics, as a REST API and as one GraphQL graph.</p>
<h2>Indexed data</h2>
${holdings ? counts(countedByLedger, holdings) : unreadable}
<h2>Where to go</h2>
<ul class="links">
${links.map(({ href, title, text }) => markup`<li><a href="${href}"><b>${title}</b> <span>${text}</span></a></li>\n`)}</ul>
<h2>What to try</h2>
${firstRequests(base, countedByLedger, holdings).map(requestPart)}
<footer>Moraine ${version}. Counts above ten thousand are estimates. All figures are at most a few seconds old.</footer>
</main>
<script>${new Html(script)}</script>`;
  return page('Moraine', markup`<style>${new Html(homeStyle)}</style>`, body);
}

const unreadable = markup`<p role="status">The database cannot be read at the moment; see <a href="/ready">/ready</a>.</p>`;

const nothing = markup`<p>Nothing yet. <code>moraine sample</code> loads a generated chain, <code>moraine import FILE…</code> loads yours.</p>`;

function counts(kinds: readonly LedgerRows[], { ledgers, others, followed }: Holdings): Html {
  if (ledgers.length + others.length + followed.length === 0) return nothing;
  const items = others.map(({ label, count }) => markup`<li>${label}: <b>${shown(count)}</b></li>\n`);
  return markup`${ledgers.length > 0 ? ledgersTable(kinds, ledgers) : ''}
${items.length > 0 ? markup`<ul class="others">\n${items}</ul>` : ''}
${followed.map((each) => markup`<p>Followed: ${each}</p>\n`)}`;
}

function requestPart({ title, command }: FirstRequest, index: number): Html {
  return markup`<div class="command">
<p id="title-${index}">${title}</p>
<button type="button" hidden data-copies="command-${index}" aria-describedby="title-${index}">Copy</button>
<pre id="command-${index}" tabindex="0" aria-labelledby="title-${index}">${command}</pre>
</div>
`;
}

function ledgersTable(kinds: readonly LedgerRows[], ledgers: readonly LedgerHoldings[]): Html {
  const counted = [...kinds].sort((a, b) => a.label.localeCompare(b.label));
  const columns = ['Chain', ...counted.map(({ label }) => label), 'Newest block', 'Made'];
  return markup`<table>
<thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${ledgers.map((each) => ledgerRow(counted, each))}</tbody>
</table>`;
}

function ledgerRow(kinds: readonly LedgerRows[], { network, chain, counts, newest }: LedgerHoldings): Html {
  const cells = kinds.map((kind) => {
    const count = counts.get(kind);
    return markup`<td data-label="${kind.label}">${count ? shown(count) : ''}</td>\n`;
  });
  return markup`<tr><th scope="row">${network} ${chainName(chain)}</th>
${cells}<td data-label="Newest block">${newest?.block ? grouped(Number(newest.block)) : 'unknown'}</td>
<td data-label="Made">${newest ? time(Number(newest.time)) : 'unknown'}</td></tr>
`;
}

function time(seconds: number): Html {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return markup`unknown`;
  const iso = date.toISOString();
  return markup`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function shown({ rows, exact }: Count): string {
  return exact ? grouped(rows) : `about ${grouped(Number(rows.toPrecision(2)))}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
