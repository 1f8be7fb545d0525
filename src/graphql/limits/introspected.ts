import { getArgumentValues, getNamedType, isObjectType, Kind } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLResolveInfo,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';

/**
 * Most selections that are looked at, whether or not they are left out. An object counts as some: it is
 * resolved and remembered. The usual query takes 29,000, which is 3 to 5 ms.
 */
const MOST_LOOKS = 60_000;
const LOOKS_PER_OBJECT = 4;
/** What an answer with more of them counts as: far more than is allowed. */
const BEYOND = 1e12;

/**
 * Counts the fields of an answer to introspection exactly, because the schema is known: for each of them
 * graphql-js takes about 0.7 µs. Lists of a schema differ too much for an estimate: Query has some forty
 * fields, most types few or none.
 */
export class IntrospectedFields {
  // A selection of the same object is counted once, so that types that lead back to each other stay linear.
  private readonly counted = new Map<SelectionSetNode, Map<unknown, number>>();
  private looks = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Record<string, unknown>,
    private readonly isLeftOut: (node: SelectionNode) => boolean,
  ) {}

  /** The fields within `__schema` or `__type`, and itself. */
  of(node: FieldNode, field: GraphQLField<unknown, unknown>): number {
    return this.field(node, field, undefined);
  }

  private selectionSet(node: SelectionSetNode, type: GraphQLObjectType, source: unknown): number {
    this.looks += LOOKS_PER_OBJECT;
    if (this.looks > MOST_LOOKS) return BEYOND;
    const of = this.counted.get(node) ?? new Map<unknown, number>();
    this.counted.set(node, of);
    const known = of.get(source);
    if (known !== undefined) return known;
    let fields = 0;
    for (const selection of node.selections) fields += this.selection(selection, type, source);
    of.set(source, fields);
    return fields;
  }

  private selection(node: SelectionNode, type: GraphQLObjectType, source: unknown): number {
    this.looks += 1;
    if (this.looks > MOST_LOOKS) return BEYOND;
    if (this.isLeftOut(node)) return 0;
    if (node.kind === Kind.FIELD) {
      const field = type.getFields()[node.name.value];
      return field ? this.field(node, field, source) : 1;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(node.name.value) : node;
    return fragment ? this.selectionSet(fragment.selectionSet, type, source) : 0;
  }

  private field(node: FieldNode, field: GraphQLField<unknown, unknown>, source: unknown): number {
    const type = getNamedType(field.type);
    const { selectionSet } = node;
    if (!selectionSet || !isObjectType(type)) return 1;
    return this.valuesOf(node, field, source).reduce(
      (fields: number, value) => fields + this.selectionSet(selectionSet, type, value),
      1,
    );
  }

  private valuesOf(node: FieldNode, field: GraphQLField<unknown, unknown>, source: unknown): unknown[] {
    try {
      const args = getArgumentValues(field, node, this.variables);
      // Fields of introspection read nothing else of it.
      const info = { schema: this.schema } as GraphQLResolveInfo;
      const value = field.resolve?.(source, args, undefined, info) ?? [];
      return Array.isArray(value) ? value : [value];
    } catch {
      // Arguments that do not fit, which execution refuses.
      return [];
    }
  }
}
