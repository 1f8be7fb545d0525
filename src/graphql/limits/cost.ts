import {
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
  isInterfaceType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { connectionLimits } from '../../paging/page-request.js';
import { fragmentsOf } from './fragments.js';

/** Entries that a list of the introspection is reckoned to hold, the list of all types excepted. */
const INTROSPECTED_LIST = 10;

/** What an operation costs. */
export interface Cost {
  /** Fields of the reply when every page is full. */
  data: number;
  /** The same of introspection, which has a limit of its own. */
  introspection: number;
}

/** What a field may declare in its extensions. */
export interface CostExtension {
  /** What the field itself counts as, where its work is not in proportion to what it returns; else 1. */
  cost?: number;
  /** Name of the work that `cost` is for, when several fields share it: a selection of more than one pays it once. */
  work?: string;
  /** How many times what is selected of it counts: for a row that hangs on the entries of a list that itself counts once. */
  times?: number;
  /** Rows of a page when none are asked for, where that is not the usual number. */
  defaultPageSize?: number;
}

/**
 * Reckons what an operation costs before anything of it runs. Every field counts 1; what stands in the rows of a
 * connection counts as many times as the page has rows (`first` or `last`, default 10), and so on inwards. The
 * objects of `nodes(ids:)` count as many times as there are ids. A list inside a row counts once, as it is read
 * with the row; a row that its entries lead to declares how many times it counts. Fields that two fragments both select
 * are counted twice.
 *
 * @param document validated: its fragments exist and form no cycle
 * @param variables coerced
 */
export function reckonCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Cost {
  const root = schema.getRootType(operation.operation);
  if (!root) return { data: 0, introspection: 0 };
  return new CostWalk(schema, fragmentsOf(document), variables).operation(operation, root);
}

class CostWalk {
  // What a selection set costs depends on nothing but these, so fragments that spread fragments stay linear.
  private readonly reckoned = new Map<SelectionSetNode, Map<string, number>>();
  private introspection = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Record<string, unknown>,
  ) {}

  operation({ selectionSet }: OperationDefinitionNode, root: GraphQLCompositeType): Cost {
    const data = this.selectionSet(selectionSet, root, 1);
    return { data, introspection: this.introspection };
  }

  /** @param rows how many rows the lists directly in it have: the page size within a connection, else 1 */
  private selectionSet(node: SelectionSetNode, type: GraphQLCompositeType, rows: number): number {
    const key = `${type.name} ${rows}`;
    const known = this.reckoned.get(node)?.get(key);
    if (known !== undefined) return known;
    let cost = 0;
    const paid = new Set<string>();
    for (const selection of node.selections) {
      const work = this.workOf(selection, type);
      cost += work !== undefined && paid.has(work) ? 1 : this.selection(selection, type, rows);
      if (work !== undefined && !this.isLeftOut(selection)) paid.add(work);
    }
    const costs = this.reckoned.get(node) ?? new Map<string, number>();
    this.reckoned.set(node, costs.set(key, cost));
    return cost;
  }

  private selection(node: SelectionNode, type: GraphQLCompositeType, rows: number): number {
    if (this.isLeftOut(node)) return 0;
    if (node.kind === Kind.FIELD) return this.field(node, type, rows);
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(node.name.value) : node;
    if (!fragment) return 0;
    const condition = fragment.typeCondition && this.schema.getType(fragment.typeCondition.name.value);
    return this.selectionSet(fragment.selectionSet, isCompositeType(condition) ? condition : type, rows);
  }

  private workOf(node: SelectionNode, type: GraphQLCompositeType): string | undefined {
    if (node.kind !== Kind.FIELD) return undefined;
    return (this.fieldOf(node, type)?.extensions as CostExtension | undefined)?.work;
  }

  private field(node: FieldNode, type: GraphQLCompositeType, rows: number): number {
    const field = this.fieldOf(node, type);
    const { cost: own = 1, times: each = 1 } = (field?.extensions ?? {}) as CostExtension;
    const inner = field && getNamedType(field.type);
    if (!field || !node.selectionSet || !isCompositeType(inner)) return own;
    const times = isListType(getNullableType(field.type)) ? this.listLength(field, node, type, rows) : each;
    const cost = own + times * this.selectionSet(node.selectionSet, inner, this.pageSize(field, node));
    if (field !== SchemaMetaFieldDef && field !== TypeMetaFieldDef) return cost;
    this.introspection += cost;
    return 0;
  }

  private fieldOf(
    { name }: FieldNode,
    type: GraphQLCompositeType,
  ): GraphQLField<unknown, unknown> | undefined {
    if (name.value === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name.value === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
  }

  private listLength(
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
    type: GraphQLCompositeType,
    rows: number,
  ): number {
    if (isIntrospectionType(type))
      return field.name === 'types' ? Object.keys(this.schema.getTypeMap()).length : INTROSPECTED_LIST;
    const { ids } = this.arguments(field, node);
    return Array.isArray(ids) ? ids.length : rows;
  }

  /** Rows of the page that a connection's field asks for; 1 for any other field. */
  private pageSize(field: GraphQLField<unknown, unknown>, node: FieldNode): number {
    if (!field.args.some(({ name }) => name === 'first')) return 1;
    const { first, last } = this.arguments(field, node);
    const asked = [first, last].filter((size) => typeof size === 'number');
    const { defaultPageSize = connectionLimits.default } = field.extensions as CostExtension;
    return asked.length > 0 ? Math.max(1, ...asked) : defaultPageSize;
  }

  private arguments(field: GraphQLField<unknown, unknown>, node: FieldNode): Record<string, unknown> {
    try {
      return getArgumentValues(field, node, this.variables);
    } catch {
      // A value that does not fit is refused when the field is executed.
      return {};
    }
  }

  private isLeftOut(node: SelectionNode): boolean {
    if (!node.directives?.length) return false;
    return (
      getDirectiveValues(GraphQLSkipDirective, node, this.variables)?.['if'] === true ||
      getDirectiveValues(GraphQLIncludeDirective, node, this.variables)?.['if'] === false
    );
  }
}
