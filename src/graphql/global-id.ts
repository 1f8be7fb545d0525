import { isInterfaceType, type GraphQLSchema } from 'graphql';
import type { Network } from '../avalanche/networks.js';
import { badInput, Problems, quote } from '../errors.js';

/** The contents of a global id: an object's type and its key among the objects of that type. */
export interface GlobalId {
  /** Empty when the text was not a global id; `id` then has the text. */
  typename: string;
  id: string;
}

/** The global id of an object: `type:key` in base64url (RFC 4648, section 5). */
export function encodeGlobalID(typename: string, id: string): string {
  return Buffer.from(`${typename}:${id}`).toString('base64url');
}

/** Decodes a global id. It refuses nothing, so that refuseWrongIds can name every wrong one of a list. */
export function decodeGlobalID(text: string): GlobalId {
  // No key contains U+0000, and PostgreSQL's text cannot.
  const [, typename, id] = /^([A-Z]\w*):([^\0]+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return typename && id ? { typename, id } : { typename: '', id: text };
}

/**
 * Refuses texts that are no global ids, and ids of types that have none.
 *
 * @param name of the argument
 * @throws AppError BAD_USER_INPUT that names each wrong one
 */
export function refuseWrongIds(name: string, ids: readonly GlobalId[], schema: GraphQLSchema): void {
  const node = schema.getType('Node');
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map((type) => type.name) : [];
  const problems = new Problems();
  for (const { typename, id } of ids) {
    problems.check(() => {
      if (typename === '')
        throw badInput(`${name}: ${quote(id)} is not a global id: the value of the field id of an object`);
      if (!types.includes(typename))
        throw badInput(
          `${name}: ${quote(encodeGlobalID(typename, id))} is of the type ${quote(typename)}, which has no global ids; types with global ids are ${types.toSorted().join(', ')}`,
        );
    });
  }
  problems.throwIfAny();
}

/** The natural key behind a global id of the form `network:key`; null when it has another form. */
export function splitNetworkKey(id: string): { network: Network; key: string } | null {
  const at = id.indexOf(':');
  const network = id.slice(0, at);
  return network === 'mainnet' || network === 'fuji' ? { network, key: id.slice(at + 1) } : null;
}
