import { getIntrospectionQuery } from 'graphql';
import { DocumentMaker, hostileLiteral } from './documents.js';
import { longName } from './hostile-values.js';
import type { Random } from './random.js';
import type { Supplies } from './supplies.js';

/** A document that is wrong, absurdly large or bent, and a long name in it. */
export function brokenDocument(random: Random, supplies: Supplies): { query: string; long?: string } {
  const way = random.whole(0, 9);
  if (way <= 2) return { query: bent(random, right(random, supplies)) };
  if (way === 3) return { query: introspection(random) };
  if (way <= 5) return { query: absurd(random) };
  if (way === 6) {
    const long = longName(random);
    return { query: nameEverywhere(random, long), long };
  }
  return { query: random.pick(wrongDocuments) };
}

function right(random: Random, { schema }: Supplies): string {
  return new DocumentMaker(random, schema, { depth: random.whole(2, 6), width: 0.5, wrong: 0 }).query();
}

/** A right document with a few characters gone, doubled or other ones. */
function bent(random: Random, document: string): string {
  let text = document;
  for (let count = random.whole(1, 4); count > 0; count -= 1) {
    const at = random.whole(0, text.length);
    const other = random.pick([
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '"',
      '"""',
      ':',
      '$',
      '@',
      '!',
      '...',
      '|',
      '&',
      '=',
      '#',
      '\n',
      '\0',
      '\u{1F600}',
      '\ufeff',
      '\\',
      '1',
      'a',
      ' on ',
      '%',
      '\ud800',
      '<',
      '0x',
    ]);
    text = text.slice(0, at) + other + text.slice(at + random.whole(0, 3));
  }
  return text;
}

function introspection(random: Random): string {
  return random.pick([
    getIntrospectionQuery(),
    getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true, specifiedByUrl: true }),
    `{ a: __schema { types { name } } b: __schema { types { name } } c: __schema { types { fields { type { name } } } } }`,
    `{ __schema { types ${'{ fields { type '.repeat(4)}{ name }${' } }'.repeat(4)} } }`,
    `{ __type(name: "__proto__") { name } }`,
    `{ __type(name: ${hostileLiteral(random)}) { name fields { name args { name type { name ofType { name } } } } } }`,
    '{ __typename }',
    '{ __schema { directives { name args { name defaultValue } } } __typename }',
  ]);
}

function absurd(random: Random): string {
  const count = random.pick([31, 200, 1999, 2001, 20_000]);
  const list = 'utxos(network: fuji, blockchainId: "p-chain"';
  return random.pick([
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ')} }`,
    `{ ${'__typename '.repeat(count)} }`,
    '{ node(id: "a") '.repeat(count) + '}'.repeat(count),
    `{ ${list}) { nodes ${'{ creatingTransaction { emittedUtxos { nodes '.repeat(6)}{ utxoId }${' } } }'.repeat(6)} } }`,
    `{ ${list}, first: 100) { nodes { creatingTransaction { emittedUtxos { nodes { utxoId } } consumedUtxos { nodes { utxoId } } } } } }`,
    `{ ${list}, first: ${random.pick(['0', '-1', '101', '2147483647', '2147483648', '1e3', '"5"', 'null'])}) { nodes { utxoId } } }`,
    `{ ${list}, addresses: [${'"a",'.repeat(count)}]) { totalCount } }`,
    `{ ${list}, addresses: ${'['.repeat(count)}${']'.repeat(count)}) { totalCount } }`,
    `{ nodes(ids: [${'"a",'.repeat(count)}]) { id } }`,
    Array.from({ length: count }, (_, index) => `fragment F${index} on Query { __typename }`).join(' ') +
      ' { __typename }',
    Array.from(
      { length: Math.min(count, 250) },
      (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    ).join(' ') + ' { ...F0 }',
    `query(${Array.from({ length: count }, (_, index) => `$v${index}: Int`).join(' ')}) { __typename }`,
    `{ __typename ${'@include(if: true) '.repeat(count)} }`,
    `{ __typename @skip(if: ${'['.repeat(count)}1${']'.repeat(count)}) }`,
    `# ${'x'.repeat(count * 10)}\n{ __typename }`,
    `{ __typename }${' '.repeat(count * 10)}`,
    `{ node(id: "${'\\u0061'.repeat(count)}") { id } }`,
    `{ node(id: """${'"'.repeat(2)}${'\n '.repeat(count)}""") { id } }`,
  ]);
}

function nameEverywhere(random: Random, name: string): string {
  return random.pick([
    `{ ${name} }`, `query ${name} { __typename }`, `{ __typename @${name} }`, `{ ...${name} }`, `{ ... on ${name} { id } }`,
    `fragment ${name} on Query { ...${name} } { ...${name} }`, `query($${name}: ${name}) { __typename }`, `{ node(${name}: 1) { id } }`, `{ node(id: ${name}) { id } }`,
    `{ node(id: "${name}") { id } }`, `{ nodes(ids: ["${name}"]) { id } }`, `{ transaction(network: ${name}, blockchainId: "${name}", txHash: "${name}") { txHash } }`,
    `{ utxos(network: fuji, blockchainId: "p-chain", after: "${name}", minUtxoAmount: "${name}") { nodes { utxoId } } }`, `{ utxos(network: fuji, blockchainId: "p-chain", addresses: ["${name}"], minUtxoAmount: ${'9'.repeat(Math.min(name.length, 5000))}) { nodes { utxoId } } }`,
    `{ __type(name: "${name}") { name } }`, `${name} { __typename }`, `{ compositeQuery(operator: AND, queries: [{ ${name}: 1 }]) { totalCount } }`,
  ]); // prettier-ignore
}

const wrongDocuments = [
  '', ' ', '{', '}', '{}', '{ }', '{ a', 'null', '[]', '{ __typename } { __typename }', 'query A { __typename } query A { __typename }', 'query A { __typename } query B { __typename }',
  'mutation { __typename }', 'subscription { __typename }', 'subscription { a }', 'schema { query: Query }', 'type A { a: Int }', 'extend type Query { a: Int }', 'fragment A on Query { __typename }',
  'fragment A on Query { ...B } fragment B on Query { ...A } { ...A }', 'fragment A on Query { ...A } { ...A }', 'fragment on on Query { a } { ...on }', '{ ...A ...A } fragment A on Transaction { txHash }',
  '{ __typename @skip }', '{ __typename @skip(if: 1) }', '{ __typename @unknown }', '{ __typename @skip(if: $x) }', 'query($x: Boolean) { __typename @skip(if: $x) }', '{ __typename @skip(if: true) }',
  'query($x: Unknown) { __typename }', 'query($x: Transaction) { __typename }', 'query($x: Int = "a") { __typename }', 'query($x: Int, $x: Int) { __typename }', 'query($x: [Int!]! = [null]) { __typename }',
  '{ utxos }', '{ utxos { nodes { utxoId } } }', '{ __typename { a } }', '{ utxos(network: fuji, network: fuji, blockchainId: "p-chain") { totalCount } }', '{ a: __typename a: __schema { queryType { name } } }',
  '{ utxos(network: fuji, blockchainId: "p-chain") { json } }', '{ rateLimit { __typename } serviceConfig { __typename } }', '{ __proto__ }', '{ constructor { a } }', '{ __schema { __proto__ } }',
  'mutation { reindexNft(chainId: "43113", address: "0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6", tokenId: "1") { nextReindexAt } }', 'mutation { reindexNft(chainId: "", address: "", tokenId: -1) { nextReindexAt } }',
  'mutation { a: reindexNft(chainId: "1", address: "0x", tokenId: "x") { nextReindexAt } b: reindexNft(chainId: "1", address: "0x", tokenId: "x") { nextReindexAt } }', 'mutation { utxos }',
]; // prettier-ignore
