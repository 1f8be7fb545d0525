import { collectFields, collectSubFields, type VariableValues } from '@graphql-tools/utils';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { isInternal } from '../graphql/internal.js';
import type { ListSource, RowSourceOf, TypeSource, ValueSource } from '../graphql/sql-source.js';
import { keyInSql } from './keys.js';
import { AFTER_TEXT, BEFORE_TEXT } from './marks.js';
import type {
  PlanNode,
  EdgePart,
  InfoPart,
  ListNode,
  ListPart,
  OperationPlan,
  Root,
  Row,
  RowNode,
  RowPart,
} from './plan.js';
import { fieldOf, globalId, hasVariable, nameOf, objectOf, sourceOf, typename } from './selection.js';
import { Unsupported } from './unsupported.js';
import { valueText, type Inner } from './values.js';

/** Most lists and rows in one statement: planning time grows with them, and clients write the documents. */
const MOST_NODES = 8;
/** Most fields in one operation, because they lengthen the statement's text. */
const MOST_FIELDS = 400;

/**
 * Makes the plan of an operation: what it reads from the database.
 *
 * @param variables those that directives use, coerced; others are ignored
 * @throws Unsupported when one of its fields declares no SQL source
 */
export function planOperation(
  schema: GraphQLSchema,
  fragments: Record<string, FragmentDefinitionNode>,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): OperationPlan {
  const root = schema.getQueryType();
  if (!root) throw new Unsupported('no query');
  return new Planner(schema, fragments, variables).plan(root, operation);
}

type Fields = { key: string; nodes: FieldNode[] }[];

class Planner {
  private readonly variables: VariableValues;
  private readonly planNodes: (ListNode | RowNode)[] = [];
  private fields = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Record<string, FragmentDefinitionNode>,
    variables: Record<string, unknown>,
  ) {
    this.variables = { coerced: variables, sources: {} };
  }

  plan(query: GraphQLObjectType, { selectionSet }: OperationDefinitionNode): OperationPlan {
    const { fields } = collectFields(this.schema, this.fragments, this.variables, query, selectionSet);
    const roots = [...fields].map(([key, nodes]): Root => {
      const [node] = nodes;
      if (node?.name.value === '__typename') return { key, nodes, is: { text: `"${query.name}"` } };
      const field = fieldOf(query, nodes);
      const { list, row } = sourceOf(field);
      if (list) return { key, nodes, is: { list: this.list(field, nodes, list, undefined) } };
      if (row) return { key, nodes, is: { row: this.row(field, nodes, row, undefined) } };
      throw new Unsupported(field.name);
    });
    return { roots, nodes: this.planNodes, fields: this.fields };
  }

  private row(
    field: GraphQLField<unknown, unknown>,
    nodes: FieldNode[],
    source: RowSourceOf,
    parent: TypeSource | undefined,
  ): RowNode {
    if ('key' in source.find) {
      const isBound = Object.values(source.find.key).some(([, , bind]) => bind);
      if (source.find.isFirst || (source.of && isBound)) throw new Unsupported('a key of another kind');
    }
    if (source.of) keyInSql(source.of, parent?.keys ?? {});
    const made = this.addNode({ field, nodes, parent, on: undefined });
    const node: RowNode = { ...made, source, row: { type: undefined, parts: [] } };
    this.planNodes[made.index] = node;
    node.row = this.rowOf(field, nodes, parent ? undefined : node);
    return node;
  }

  private list(
    field: GraphQLField<unknown, unknown>,
    nodes: FieldNode[],
    source: ListSource,
    parent: TypeSource | undefined,
    on?: RowNode,
  ): ListNode {
    if (source.isMade) throw new Unsupported('a query that is made');
    const made = this.addNode({ field, nodes, parent, on });
    const node: ListNode = { ...made, source, parts: [] };
    this.planNodes[made.index] = node;
    const connection = objectOf(field);
    node.parts = this.within(connection, nodes).map(({ key, nodes: within }): ListPart => {
      const name = nameOf(within);
      if (name === '__typename') return typename(key, connection);
      const inner = fieldOf(connection, within);
      if (name === 'nodes') return { key, is: 'nodes', row: this.rowOf(inner, within) };
      if (name === 'edges') return { key, is: 'edges', parts: this.edges(objectOf(inner), within) };
      if (name === 'pageInfo') return { key, is: 'pageInfo', parts: this.pageInfo(objectOf(inner), within) };
      if (isInternal(inner.type)) return { key, is: 'json' };
      throw new Unsupported(`${connection.name}.${name}`);
    });
    return node;
  }

  private edges(edge: GraphQLObjectType, nodes: FieldNode[]): EdgePart[] {
    return this.within(edge, nodes).map(({ key, nodes: within }): EdgePart => {
      const name = nameOf(within);
      if (name === '__typename') return typename(key, edge);
      if (name === 'cursor') return { key, is: 'cursor' };
      return { key, is: 'node', row: this.rowOf(fieldOf(edge, within), within) };
    });
  }

  private pageInfo(info: GraphQLObjectType, nodes: FieldNode[]): InfoPart[] {
    return this.within(info, nodes).map(({ key, nodes: within }): InfoPart => {
      const name = nameOf(within);
      if (name === '__typename') return typename(key, info);
      return { key, is: name as 'startCursor' };
    });
  }

  /**
   * What is selected of a field's rows.
   *
   * @param on the field's node, if it is a field of the query that returns one row
   */
  private rowOf(field: GraphQLField<unknown, unknown>, nodes: FieldNode[], on?: RowNode): Row {
    const type = objectOf(field);
    const declared = (type.extensions as { sql?: TypeSource }).sql;
    // Without such a declaration its rows may be changed in JavaScript, which the fields' SQL does not know.
    if (!declared) throw new Unsupported(type.name);
    const parts = this.within(type, nodes).map(({ key, nodes: within }): RowPart => {
      if (nameOf(within) === '__typename') return typename(key, type);
      const inner = fieldOf(type, within);
      if (inner.name === 'id' && declared.id)
        return { key, is: 'sql', sql: globalId(type.name, declared.id) };
      const { value, list, row } = sourceOf(inner);
      if (value) return { key, is: 'sql', sql: this.value(inner, value, within) };
      if (list) return { key, is: 'list', list: this.list(inner, within, list, declared, on) };
      if (row) return { key, is: 'row', row: this.row(inner, within, row, declared) };
      throw new Unsupported(`${type.name}.${inner.name}`);
    });
    return { type: declared, parts };
  }

  private value({ type }: GraphQLField<unknown, unknown>, source: ValueSource, nodes: FieldNode[]): string {
    const text = valueText(type, source, this.inner(nodes));
    return isInternal(type) ? `concat('${BEFORE_TEXT}', ${text}, '${AFTER_TEXT}')` : text;
  }

  private addNode({
    nodes,
    ...field
  }: Pick<PlanNode, 'field' | 'parent' | 'on'> & { nodes: FieldNode[] }): PlanNode {
    const [node] = nodes;
    const index = this.planNodes.length;
    if (!node || index >= MOST_NODES) throw new Unsupported('too many lists and rows');
    const made = { index, node, isFixed: !hasVariable(node), ...field };
    // Reserves its index: its own children are added before it is complete.
    this.planNodes.push(made as ListNode);
    return made;
  }

  private inner(nodes: FieldNode[]): Inner {
    return (type) =>
      this.within(type, nodes).map(({ key, nodes: within }) => ({
        key,
        name: nameOf(within),
        inner: this.inner(within),
      }));
  }

  private within(type: GraphQLObjectType, nodes: FieldNode[]): Fields {
    const { fields } = collectSubFields(this.schema, this.fragments, this.variables, type, nodes);
    this.fields += fields.size;
    if (this.fields > MOST_FIELDS) throw new Unsupported('too many fields');
    return [...fields].map(([key, within]) => ({ key, nodes: within }));
  }
}
