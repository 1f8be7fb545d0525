// The least that could serve the list of UTXOs: node:http, pg's pool, a prepared statement, JSON.stringify.
// Same page statement as the gateway's, no validation, no GraphQL, no limits; the replies are the same,
// headers included.
import { createServer } from 'node:http';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { positionOf } from '../../src/paging/position.js';
import { createTokenCodec, digestQuery } from '../../src/paging/token.js';
import { readArguments } from '../../src/arguments/argument.js';
import { utxoListArguments } from '../../src/resources/utxo/arguments.js';
import { utxoList } from '../../src/resources/utxo/list.js';
import { loadInstallation } from '../../src/storage/installation.js';
import { openStorage } from '../../src/storage/open.js';
import type { Reader } from '../../src/storage/reader.js';
import type { Statement } from '../../src/storage/statement.js';
import { poolOf } from '../../test/harness/connections.js';

const [port = '0', headerText = '{}', mode = 'stringify'] = process.argv.slice(2);
const headers = JSON.parse(headerText) as Record<string, string>;
const storage = await openStorage(loadConfig(), pino({ level: 'warn' }));
/** Reads as a program does that has a pool: each read on a connection of its own. */
const alone: Reader = Object.create(storage, {
  read: {
    value: async ({ name, text }: Statement, values: unknown[]) =>
      (await poolOf(storage).query<object>({ name, text, values })).rows,
  },
}) as Reader;
const { id, secret } = await loadInstallation(storage.prisma);
const tokens = createTokenCodec(secret, id, Date.now);
const list = readArguments(utxoListArguments, { network: 'mainnet', blockchainId: 'p-chain' });
const chainInfo = { chainName: 'p-chain', network: 'mainnet' };

createServer((request, response) => {
  void answer(request.url ?? '/').then((body) => {
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
}).listen(Number(port), '127.0.0.1');

async function answer(url: string): Promise<string> {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const addresses = (query.get('addresses') ?? '').split(',').sort();
  const pageSize = Number(query.get('pageSize') ?? 10);
  const request = { direction: 'forward', limit: pageSize, after: null, before: null } as const;
  const rows = await utxoList.read(alone, { ...list, addresses }, request);
  const page = rows.slice(0, pageSize);
  const digest = digestQuery('utxos', { network: list.network, blockchainId: list.blockchainId, addresses });
  const last = page.at(-1);
  const nextPageToken =
    rows.length > pageSize && last
      ? tokens.issue(digest, positionOf(BigInt(last.id), BigInt((last as { mark?: string }).mark ?? 0)))
      : undefined;
  if (mode === 'splice') {
    const token = nextPageToken ? `,"nextPageToken":"${nextPageToken}"` : '';
    return `{"utxos":[${page.map((row) => row.text).join(',')}]${token},"chainInfo":${JSON.stringify(chainInfo)}}`;
  }
  const utxos = page.map((row) => JSON.parse(row.text) as unknown);
  return JSON.stringify({ utxos, nextPageToken, chainInfo });
}
