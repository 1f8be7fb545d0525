import {
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { publicSchema } from '../../src/graphql/internal.js';
import { buildSchema } from '../../src/schema.js';

const schema: GraphQLSchema = publicSchema(buildSchema());

const chain = ['network', 'blockchainId', 'blockchainAlias'];
/** The fields that identify a row's place, by type: in REST they are in the path, not in the row. */
const chains: Readonly<Record<string, readonly string[]>> = {
  Transaction: chain,
  Utxo: chain,
  Vertex: chain,
  IcmMessage: chain,
};

/**
 * A selection of all that a row of this type contains itself: all leaves, and objects that are not rows
 * themselves. Fields with required arguments, connections and other nodes are left out, and so are the global
 * id and the fields of the row's place.
 */
export function selectionOf(typeName: string): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`);
  return select(type);
}

function select(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .flatMap((field) => {
      const inner = getNamedType(field.type);
      if ((field.name === 'id' && isNode(type)) || chains[type.name]?.includes(field.name)) return [];
      if (isLeafType(inner)) return field.args.length === 0 ? [field.name] : [];
      if (!isObjectType(inner) || isNode(inner) || inner.name.endsWith('Connection')) return [];
      return [`${field.name} { ${select(inner)} }`];
    })
    .join(' ');
}

function isNode(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some((each) => isInterfaceType(each) && each.name === 'Node');
}

/** The value without absent members, as REST replies leave them out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(members.map(([key, each]) => [key, withoutNulls(each)]));
}
