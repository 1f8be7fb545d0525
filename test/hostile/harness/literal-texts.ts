import type { Random } from './random.js';

/** A request whose text has literals. */
export interface LiteralRequest {
  query: string;
  variables: Record<string, unknown>;
}

/** Literals of other forms than `"text"` and `12`, right and wrong ones. */
const oddTexts = [
  '"\\u0061b"',
  '"""a block"""',
  '"""',
  '""',
  '"\ud800"',
  '"a\udc00b"',
  '"literal_0"',
  '"# no comment"',
  '7',
  '-0',
  '1.5',
  'fuji',
  'null',
  '["a"]',
  '"😀"',
  '"a" "b"',
  '"a""b"',
  '"\0"',
  '"\u007f"',
  "'a'",
];
const oddNumbers = [
  '9007199254740993',
  '-9007199254740993',
  '-0',
  '--5',
  '007',
  '1.5',
  '1e3',
  '1E+3',
  '-',
  '+5',
  '0x5',
  '"5"',
  '"fuji"',
  '18446744073709551616',
  `${'9'.repeat(80)}`,
  'null',
  'five',
  '[5]',
  '2147483648',
];

/** Makes the literals of texts: most of them ordinary, so that texts of one shape are many. */
class Literals {
  constructor(private readonly random: Random) {}

  text = (): string =>
    this.random.chance(0.06)
      ? this.random.pick(oddTexts)
      : JSON.stringify(this.random.pick(['p-chain', 'x-chain', 'fuji', 'BaseTx', '5', 'a b', 'é', '#']));
  number = (): string =>
    this.random.chance(0.06)
      ? this.random.pick(oddNumbers)
      : String(this.random.pick([0, 1, 2, 5, -1, 10, 100, 2 ** 31, Number.MAX_SAFE_INTEGER]));
  either = (): string => (this.random.chance(0.5) ? this.text() : this.number());
}

type Form = (literals: Literals, random: Random) => string;

const nodes = 'nodes { utxoId }';
const outputs = 'utxos(network: fuji, blockchainId: "p-chain"';

/** Texts in which a literal stands where it may be a variable, where it may not, or where it is none. */
export const forms: Readonly<Record<string, Form>> = {
  'an argument': ({ text }) =>
    `{ transaction(network: fuji, blockchainId: ${text()}, txHash: ${text()}) { txHash } }`,
  'several fields with aliases': ({ text }) =>
    `{ a: chain(chainId: ${text()}) { chainId } chainId: chain(chainId: ${text()}) { chainId } }`,
  'a decimal': ({ either }) => `{ ${outputs}, minUtxoAmount: ${either()}) { ${nodes} } }`,
  'a long': ({ either }) => `{ icmMessages(since: ${either()}, until: ${either()}) { nodes { messageId } } }`,
  'a big number': ({ either }) =>
    `{ block(network: fuji, blockchainId: "p-chain", number: ${either()}) { hash } }`,
  'an id': ({ either }) => `{ node(id: ${either()}) { id } }`,
  'ids in a list': ({ either }) => `{ nodes(ids: [${either()}, ${either()}]) { id } }`,
  'one in place of a list': ({ either }) => `{ nodes(ids: ${either()}) { id } }`,
  'texts in a list without spaces': ({ text }) => `{${outputs},addresses:[${text()},${text()}]){${nodes}}}`,
  'numbers side by side': ({ number }) => `{nodes(ids:[${number()}${number()} ${number()}]){id}}`,
  'an enum': ({ either }, random) =>
    `{ utxos(network: ${random.chance(0.7) ? 'fuji' : either()}, blockchainId: ${either()}) { ${nodes} } }`,
  'enums in a list': ({ text }, random) =>
    `{ transactions(network: fuji, blockchainId: ${text()}, txTypes: [${random.chance(0.8) ? 'BaseTx' : text()}]) { nodes { txHash } } }`,
  'a boolean': ({ either, number }, random) =>
    `{ ${outputs}, minUtxoAmount: ${number()}, includeSpent: ${random.chance(0.9) ? 'true' : either()}) { ${nodes} } }`,
  'a page size': ({ number, text }, random) =>
    `{ utxos(network: fuji, blockchainId: ${text()}, first: ${random.chance(0.7) ? '2' : number()}) { ${nodes} } }`,
  'a page size after a comma': ({ number, text }, random) =>
    `{ utxos(network: fuji, blockchainId: ${text()}, first${random.pick([',:', ' ,: ,', ':\ufeff'])}${random.pick([1, 2])}, minUtxoAmount: ${number()}) { ${nodes} } }`,
  'a page size after a comment': ({ number }) =>
    `{ ${outputs}, first: # 3\n ${number()}, minUtxoAmount: ${number()}) { ${nodes} } }`,
  'an input object': ({ either }) => `{ ${outputs}, asOf: { time: ${either()} }) { ${nodes} } }`,
  'input objects in a list': ({ text, either }) =>
    `{ compositeQuery(operator: AND, queries: [{ latestBalance: { id: ${text()}, evmChainId: ${text()}, minBalance: ${either()} } }]) { nodes { address } } }`,
  'a default value': ({ number, text }, random) =>
    `query A($n: Int = ${random.pick([1, 2, 5])}, $c: String!) { utxos(network: fuji, blockchainId: $c, first: $n, minUtxoAmount: ${number()}, addresses: [${text()}]) { ${nodes} } }`,
  'a default value and a large number': (_literals, random) =>
    `query A($n:Int=${random.pick([1, 2, 5])} $c:String!){utxos(network:fuji blockchainId:$c first:$n minUtxoAmount:${random.pick(['20000000000000000000', '-0', '5'])}){${nodes}}}`,
  'a variable of the request': ({ text, number }) =>
    `query ($c: String!) { utxos(network: fuji, blockchainId: $c, addresses: [$c, ${text()}], minUtxoAmount: ${number()}) { ${nodes} } }`,
  'a variable with a name of ours': ({ text }, random) =>
    `query ($literal_0: String${random.chance(0.5) ? ' = "x-chain"' : '!'}) { a: chain(chainId: $literal_0) { chainId } b: chain(chainId: ${text()}) { chainId } }`,
  'a description': ({ text, number }, random) =>
    `${random.pick(['"one"', '"two"', ''])} query A { utxos(network: fuji, blockchainId: ${text()}, minUtxoAmount: ${number()}) { ${nodes} } }`,
  'a directive': ({ text }, random) =>
    `{ chain(chainId: ${text()}) { chainId chainName @include(if: ${random.pick(['true', 'false', '1', '"true"'])}) } }`,
  'a comment': ({ text }, random) =>
    `# ${random.pick(['"', '12', '"a" 5', 'é', '\ud800'])}\n{ chain(chainId: ${text()}) # "${random.pick([1, 2])}"\n { chainId } }`,
  'a byte order mark': ({ text, number }) =>
    `\ufeff{ utxos(network: fuji,\ufeffblockchainId: ${text()}, minUtxoAmount:\ufeff${number()}) { ${nodes} } }`,
  'a fragment': ({ text }) =>
    `fragment F on Query { b: chain(chainId: ${text()}) { chainId } } query { a: chain(chainId: ${text()}) { chainId } ...F }`,
  'several operations': ({ text }) =>
    `query A { chain(chainId: ${text()}) { chainId } } query B { search(text: ${text()}) { chain { chainId } } }`,
  'one key twice': ({ text }) =>
    `{ a: chain(chainId: ${text()}) { chainId } a: chain(chainId: ${text()}) { chainName } }`,
  'fields below a row': ({ text, either, number }) =>
    `{ address(network: fuji, address: ${text()}) { utxos(minUtxoAmount: ${either()}, asOf: { block: ${number()} }) { ${nodes} } transactions(first: 5, since: ${number()}) { nodes { txHash } } } }`,
};

/** A request of one of the forms. */
export function anyLiteralRequest(random: Random): LiteralRequest & { form: string } {
  const form = random.pick(Object.keys(forms));
  const query = (forms[form] as Form)(new Literals(random), random);
  const variables = { c: random.pick(['p-chain', 'x-chain']), literal_0: random.pick(['c-chain', '5']) };
  return { form, query, variables };
}
