import {
  isCompositeType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { examples } from '../../../sample/examples.js';
import { hostileText } from './hostile-values.js';
import type { Random } from './random.js';

/** How a document is made. */
export interface Shape {
  /** Deepest nesting of fields. */
  depth: number;
  /** How probably a field is selected. */
  width: number;
  /** How probably an argument gets a value that it need not take. */
  wrong: number;
}

const given: Readonly<Record<string, readonly string[]>> = {
  network: ['fuji', 'fuji', 'mainnet', 'testnet'],
  blockchainId: ['p-chain', 'x-chain', 'c-chain', '11111111111111111111111111111111LpoYY'],
  address: [examples.busyAddress, examples.evmAddress, examples.nftCollection],
  addresses: [examples.busyAddress],
  assetId: [examples.assetId, examples.nftAssetId],
  chainId: ['43113', examples.l1BlockchainId],
  evmChainId: ['43113'],
  txHash: Object.values(examples.pChain),
  vertexHash: [examples.xChain.vertexHash],
  utxoId: [examples.stakedUtxoId, examples.multisigUtxoId],
  messageId: [examples.icmMessageId],
  tokenId: ['1', '2'],
  subnetId: [examples.subnetId],
  contractAddress: [examples.erc20Address, examples.nftCollection],
  firstDate: [examples.firstDate],
  lastDate: [examples.lastDate],
  minBalance: ['0', examples.minBalance],
  id: ['a', 'b', 'Vdjo=', 'QXNzZXQ6eA=='],
  ids: ['a'],
};

/** A document made of the schema: right as to its types unless `wrong` is above 0. */
export class DocumentMaker {
  readonly #fragments: string[] = [];
  #count = 0;

  constructor(
    private readonly random: Random,
    private readonly schema: GraphQLSchema,
    private readonly shape: Shape,
  ) {}

  /** A whole query, its fragments behind it. */
  query(): string {
    const type = this.schema.getQueryType() as GraphQLObjectType;
    const selection = this.selectionOf(type, this.shape.depth, this.random.whole(1, 3));
    const name = this.random.chance(0.5)
      ? `query Q${this.random.chance(0.3) ? '($on: Boolean = true)' : ''} `
      : '';
    return `${name}${selection}${this.#fragments.join('')}`;
  }

  /** @param atLeast fields that are selected whatever chance says */
  selectionOf(type: GraphQLNamedType, depth: number, atLeast = 1): string {
    if (isAbstractType(type)) return this.#abstract(type, depth);
    const fields = Object.values((type as GraphQLObjectType).getFields()).filter(
      (field) => depth > 1 || !isCompositeType(getNamedType(field.type)),
    );
    const chosen = this.random.some(fields, this.shape.width / Math.max(1, fields.length / 6));
    while (chosen.length < atLeast && fields.length > 0) chosen.push(this.random.pick(fields));
    const selections = chosen.map((field) => this.#field(field, depth));
    if (this.random.chance(0.1) || selections.length === 0) selections.push('__typename');
    return this.#wrapped(type, `{ ${selections.join(' ')} }`);
  }

  #abstract(type: GraphQLNamedType, depth: number): string {
    if (!isAbstractType(type)) throw new Error(`${type.name} is not abstract`);
    const some = this.random.some(this.schema.getPossibleTypes(type), 0.3);
    return `{ __typename ${some.map((each) => `... on ${each.name} ${this.selectionOf(each, depth)}`).join(' ')} }`;
  }

  /** The selection as it is, or in a fragment. */
  #wrapped({ name }: GraphQLNamedType, selection: string): string {
    if (this.random.chance(0.06)) return `{ ... on ${name}${this.#directive()} ${selection} }`;
    if (this.random.chance(0.06))
      return `{ ...${this.random.chance(0.2) ? ' @skip(if: true)' : ''} ${selection} }`;
    if (!this.random.chance(0.06)) return selection;
    const fragment = `F${(this.#count += 1)}`;
    this.#fragments.push(` fragment ${fragment} on ${name} ${selection}`);
    return `{ ...${fragment} ...${fragment} }`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const type = getNamedType(field.type);
    // The same field with other arguments in one selection is a conflict: an alias parts them.
    const alias = field.args.length > 0 || this.random.chance(0.05) ? `a${(this.#count += 1)}: ` : '';
    const below = isCompositeType(type) ? ` ${this.selectionOf(type, depth - 1)}` : '';
    return `${alias}${field.name}${this.#arguments(field.args)}${this.#directive()}${below}`;
  }

  #directive(): string {
    return this.random.chance(0.03)
      ? this.random.pick([' @include(if: true)', ' @skip(if: false)', ' @include(if: false)'])
      : '';
  }

  #arguments(all: readonly GraphQLArgument[]): string {
    const paging = this.random.chance(0.8) ? 'first' : 'last';
    const chosen = all.filter(({ name, type }) => {
      if (isNonNullType(type)) return true;
      if (name === 'first' || name === 'last') return name === paging;
      return this.random.chance(name === 'after' || name === 'before' ? 0.05 : 0.2);
    });
    if (chosen.length === 0) return '';
    return `(${chosen.map(({ name, type }) => `${name}: ${this.#value(name, type)}`).join(', ')})`;
  }

  #value(name: string, type: GraphQLInputType): string {
    if (this.random.chance(this.shape.wrong)) return hostileLiteral(this.random);
    if (isNonNullType(type)) return this.#value(name, type.ofType);
    if (isListType(type)) return `[${this.#value(name, type.ofType)}]`;
    if (isEnumType(type))
      return this.random.pick(
        name in given ? (given[name] as string[]) : type.getValues().map((each) => each.name),
      );
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      const chosen = type.isOneOf
        ? [this.random.pick(fields)]
        : fields.filter((each) => isNonNullType(each.type) || this.random.chance(0.2));
      return `{ ${chosen.map((each) => `${each.name}: ${this.#value(each.name, each.type)}`).join(', ')} }`;
    }
    if (type.name === 'Boolean') return this.random.pick(['true', 'false']);
    if (type.name === 'Int') return String(this.random.whole(1, this.random.chance(0.1) ? 100 : 5));
    if (type.name === 'Long') return String(this.random.whole(0, 2_000_000_000));
    return JSON.stringify(this.random.pick(given[name] ?? ['', '0', '1']));
  }
}

/** A literal of any type, right as to syntax. */
export function hostileLiteral(random: Random): string {
  return random.pick([
    'null', 'true', '0', '-1', '1.5', '1e400', '2147483647', '2147483648', '-2147483649', '9007199254740993', '18446744073709551616', '9'.repeat(400),
    '[]', '[[]]', '{}', '{ a: 1 }', '{ __proto__: 1 }', 'fuji', 'NOT_A_VALUE', '__proto__', '"""block"""', '"\\u0000"', '"\\uD800"', '$missing',
    JSON.stringify(hostileText(random)), JSON.stringify(hostileText(random)), JSON.stringify(hostileText(random)),
    `[${'"a", '.repeat(70)}]`,
  ]); // prettier-ignore
}
