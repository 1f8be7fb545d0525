import {
  getDirectiveValues,
  getNamedType,
  getNullableType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isCompositeType,
  isListType,
  isObjectType,
  isInterfaceType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import type { CostExtension } from './cost-extension.js';
import { argumentsOf, NO_PAGE, pageOf, type Page } from './cost-page.js';
import { fragmentsOf } from './fragments.js';
import { IntrospectedFields } from './introspected.js';

/** What an operation costs. */
export interface Cost {
  /** Fields of the reply when every page is full. */
  data: number;
  /** Fields of the answer of introspection, which has its own limit. */
  introspection: number;
}

/** What a selection costs, and whether it selects only scalars. */
interface Calculated {
  cost: number;
  isScalar: boolean;
}

/**
 * Calculates what an operation costs before anything of it runs. Every field counts 1. A selection in the
 * rows of a connection counts once for each row of the page (`first` or `last`, default 10), and so on
 * inwards; less often for scalars of a connection that declares `scalarRows`. So do its `nodes` if they are
 * scalars themselves; another list in the connection may declare another length. The objects of `nodes(ids:)`
 * count once for each id. A list inside a row counts once, because it is read with the row; a row that its
 * entries refer to declares how many times it counts. Fields that two fragments both select are counted
 * twice.
 *
 * @param document validated: its fragments exist and form no cycle
 * @param variables coerced
 */
export function calculateCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Cost {
  const root = schema.getRootType(operation.operation);
  if (!root) return { data: 0, introspection: 0 };
  return new CostCalculation(schema, fragmentsOf(document), variables).operation(operation, root);
}

class CostCalculation {
  // The cost of a selection set depends only on these, so it is cached: fragments that spread fragments stay
  // linear.
  private readonly calculated = new Map<SelectionSetNode, Map<string, Calculated>>();
  // The same selection is looked at for each object of a schema, and reading its directives takes longest.
  private readonly leftOut = new Map<SelectionNode, boolean>();
  private introspection = 0;
  private readonly introspected: IntrospectedFields;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Record<string, unknown>,
  ) {
    const isLeftOut = (node: SelectionNode) => this.isLeftOut(node);
    this.introspected = new IntrospectedFields(schema, fragments, variables, isLeftOut);
  }

  operation({ selectionSet }: OperationDefinitionNode, root: GraphQLCompositeType): Cost {
    const { cost } = this.selectionSet(selectionSet, root, NO_PAGE);
    return { data: cost, introspection: this.introspection };
  }

  /** @param page of the lists directly in it: within a connection, its page */
  private selectionSet(node: SelectionSetNode, type: GraphQLCompositeType, page: Page): Calculated {
    const key = `${type.name} ${JSON.stringify(page)}`;
    const known = this.calculated.get(node)?.get(key);
    if (known !== undefined) return known;
    const all: Calculated = { cost: 0, isScalar: true };
    const paid = new Set<string>();
    for (const selection of node.selections) {
      const work = this.workOf(selection, type);
      const { cost, isScalar } = this.selection(selection, type, page);
      all.cost += work !== undefined && paid.has(work) ? 1 : cost;
      all.isScalar &&= isScalar;
      if (work !== undefined && !this.isLeftOut(selection)) paid.add(work);
    }
    const costs = this.calculated.get(node) ?? new Map<string, Calculated>();
    this.calculated.set(node, costs.set(key, all));
    return all;
  }

  private selection(node: SelectionNode, type: GraphQLCompositeType, page: Page): Calculated {
    if (this.isLeftOut(node)) return { cost: 0, isScalar: true };
    if (node.kind === Kind.FIELD) return this.field(node, type, page);
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(node.name.value) : node;
    if (!fragment) return { cost: 0, isScalar: true };
    const condition = fragment.typeCondition && this.schema.getType(fragment.typeCondition.name.value);
    return this.selectionSet(fragment.selectionSet, isCompositeType(condition) ? condition : type, page);
  }

  private workOf(node: SelectionNode, type: GraphQLCompositeType): string | undefined {
    if (node.kind !== Kind.FIELD) return undefined;
    return (this.fieldOf(node, type)?.extensions as CostExtension | undefined)?.work;
  }

  private field(node: FieldNode, type: GraphQLCompositeType, page: Page): Calculated {
    const field = this.fieldOf(node, type);
    if (field === SchemaMetaFieldDef || field === TypeMetaFieldDef) {
      this.introspection += this.introspected.of(node, field);
      return { cost: 0, isScalar: false };
    }
    const { cost: own = 1, times: each = 1 } = (field?.extensions ?? {}) as CostExtension;
    const inner = field && getNamedType(field.type);
    if (!field || !node.selectionSet || !isCompositeType(inner)) {
      const entries = page !== NO_PAGE && field && isListType(getNullableType(field.type));
      const values = entries ? Math.ceil(page.rows / page.scalarRows) : 0;
      return { cost: own + values, isScalar: own === 1 };
    }
    const within = this.selectionSet(node.selectionSet, inner, pageOf(field, node, this.variables));
    const isList = isListType(getNullableType(field.type));
    const times = isList ? this.listLength(field, node, page, within) : each;
    const cost = own + times * within.cost;
    // An edge and its node are one row.
    return { cost, isScalar: within.isScalar && field.name === 'node' && type.name.endsWith('Edge') };
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
    { rows, scalarRows, lengths }: Page,
    within: Calculated,
  ): number {
    const { ids } = argumentsOf(field, node, this.variables);
    if (Array.isArray(ids)) return ids.length;
    const { lengthOf } = field.extensions as CostExtension;
    if (lengthOf !== undefined) return lengths[lengthOf] ?? 1;
    return within.isScalar ? Math.ceil(rows / scalarRows) : rows;
  }

  private isLeftOut(node: SelectionNode): boolean {
    if (!node.directives?.length) return false;
    const known = this.leftOut.get(node);
    if (known !== undefined) return known;
    const isLeftOut =
      getDirectiveValues(GraphQLSkipDirective, node, this.variables)?.['if'] === true ||
      getDirectiveValues(GraphQLIncludeDirective, node, this.variables)?.['if'] === false;
    this.leftOut.set(node, isLeftOut);
    return isLeftOut;
  }
}
