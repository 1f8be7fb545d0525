import { getIntrospectionQuery } from 'graphql';
import { onTestFinished, test } from 'vitest';
import { whileAttacked, type Attacked } from '../harness/attacked.js';
import { hammer, type HammerOptions } from '../harness/hammer.js';
import * as documents from '../../harness/attack-documents.js';
import type { Sent } from '../harness/send.js';

const SECONDS = 4;

/** A few connections of one other client that send what `make` returns. */
const by =
  (options: Omit<HammerOptions, 'url'>, make: (number: number) => Sent) =>
  ({ url }: Attacked) =>
    hammer({ url, ...options }, make);

const fourConnections = { connections: 4 };
const graphql = (body: object | string): Sent => ({
  path: '/graphql',
  post: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A document that was never seen: its comment is new. */
const costless = (number: number, first = '') =>
  graphql({ query: documents.sameFieldOverAndOver(String(number), first) });

test('documents that cost nothing, each of them new', () =>
  whileAttacked(
    'documents of 190 equal costless fields, 4 connections',
    SECONDS,
    by(fourConnections, (number) => costless(number)),
  ));

test('the same together with a field that is paid, at 60 a second of 100 allowed', () =>
  whileAttacked(
    'the same with a paid field, 60 a second',
    SECONDS,
    by({ connections: 8, perSecond: 60 }, (number) =>
      costless(number, 'chains(first: 1) { nodes { chainId } }'),
    ),
  ));

/** One document of many operations, each of which the next request names. */
function manyOperations(number: number): Sent {
  const query = documents.manyOperations(String(Math.floor(number / 290)));
  return graphql({ query, operationName: `q${number % 290}` });
}

test('documents of many errors after many lines', () =>
  whileAttacked(
    'documents of 400 errors after 60,000 lines, 4 connections',
    SECONDS,
    by(fourConnections, (number) => graphql({ query: documents.errorsAfterLines(String(number)) })),
  ));

test('documents of many operations, each of which is asked for', () =>
  whileAttacked(
    'documents of 290 operations, each asked for, 90 a second',
    20,
    by({ connections: 8, perSecond: 90 }, manyOperations),
  ));

/** Lists over four rows deep, with a new alias and a new literal. Sent twice, so that they are prepared. */
function literals(number: number): Sent {
  const amount = Math.floor(number / 2);
  const nodes = 'nodes{utxoId creatingTransaction{txHash emittedUtxos{nodes{utxoId}}}}';
  const query = `{a${amount}:utxos(network:fuji,blockchainId:"p-chain",first:4,minUtxoAmount:"${amount}"){${nodes}}}`;
  return graphql({ query });
}

test('lists with an alias that is never the same', () =>
  whileAttacked(
    'lists with an alias of their own, 60 a second',
    20,
    by({ connections: 8, perSecond: 60 }, literals),
  ));

test('the usual introspection with a comment that is new, at 36 a second of 100 allowed', () =>
  whileAttacked(
    'introspection with a new comment, 36 a second',
    SECONDS,
    by({ connections: 8, perSecond: 36 }, (number) =>
      graphql({ query: `${getIntrospectionQuery()} #${number}` }),
    ),
  ));

test('introspection whose answer is new, at 36 a second', () =>
  whileAttacked(
    'introspection under a new alias, 36 a second',
    SECONDS,
    by({ connections: 8, perSecond: 36 }, (number) =>
      graphql({ query: getIntrospectionQuery().replace('__schema', `a${number}: __schema`) }),
    ),
  ));

/** Texts of a shape that is new with every second one, which is then planned. */
function shapes(number: number): Sent {
  const nodes = `nodes{utxoId b${number >> 1}:amount creatingTransaction{txHash}}`;
  return graphql({
    query: `{utxos(network:fuji,blockchainId:"p-chain",first:4,minUtxoAmount:"${number}"){${nodes}}}`,
  });
}

test('texts whose shape is new, two of each', () =>
  whileAttacked('texts of a new shape, two of each, 4 connections', SECONDS, by(fourConnections, shapes)));

test('documents of lists in lists, near the limit of cost', () => {
  const inner = 'owners{transactions(first:5){nodes{emittedUtxos(first:100){nodes{utxoId}}}}}';
  const query = `{utxos(network:fuji,blockchainId:"p-chain",first:18){nodes{${inner}}}}`;
  return whileAttacked(
    'lists in lists of cost 9,200, 4 connections',
    SECONDS,
    by(fourConnections, () => graphql({ query })),
  );
});

test('sixteen searches in a document', () => {
  const search = (index: number) =>
    `a${index}:search(text:"0x46744D1FeD52681e9e0Eecd3135836e202528Aa2"){candidates{value}}`;
  const query = `{${Array.from({ length: 16 }, (_none, index) => search(index)).join(' ')}}`;
  return whileAttacked(
    '16 searches in a document, 4 connections',
    SECONDS,
    by(fourConnections, () => graphql({ query })),
  );
});

test('bodies of 256 kB without a query', () => {
  const body = documents.bodyWithoutQuery();
  return whileAttacked(
    'bodies of 256 kB without a query, 4 connections',
    SECONDS,
    by(fourConnections, () => graphql(body)),
  );
});

test('bodies of brackets', () => {
  const body = documents.brackets();
  return whileAttacked(
    'bodies of 260,000 brackets, 4 connections',
    SECONDS,
    by(fourConnections, () => graphql(body)),
  );
});

const asBrowsers = { accept: 'text/html,application/xhtml+xml' };

test('the page of metrics', () =>
  whileAttacked('/metrics, 4 connections', SECONDS, ({ watchersUrl: url }) =>
    hammer({ url, ...fourConnections }, () => ({ path: '/metrics' })),
  ));

test('GraphiQL, as it is and compressed', () =>
  whileAttacked('GraphiQL, 16 connections', SECONDS, ({ url }) => {
    const ways = ['identity', 'gzip'].map((encoding) =>
      hammer({ url, connections: 8, headers: { ...asBrowsers, 'accept-encoding': encoding } }, () => ({
        path: '/graphql',
      })),
    );
    return { stop: async () => (await Promise.all(ways.map(({ stop }) => stop()))).join('; ') };
  }));

test('the other pages for everybody, and paths that are not there', () => {
  const paths = ['/', '/docs/swagger-ui.js', '/openapi.json', '/ready', '/v1/health-check', '/no/such/path'];
  return whileAttacked(
    'other free pages and unknown paths, 8 connections',
    SECONDS,
    by({ connections: 8 }, (number) => ({ path: paths[number % paths.length]! })),
  );
});

test('the primary process of two stands still for 8 s, and goes on', () =>
  whileAttacked(
    'PROCESSES=2, primary process stopped for 8 s',
    SECONDS + 2,
    ({ scene: { gateway } }) => {
      gateway.child.kill('SIGSTOP');
      const goOn = () => void gateway.child.kill('SIGCONT');
      const timer = setTimeout(goOn, SECONDS * 1000);
      onTestFinished(goOn);
      return {
        stop: () => {
          clearTimeout(timer);
          goOn();
          return Promise.resolve();
        },
      };
    },
    { PROCESSES: '2' },
  ));
