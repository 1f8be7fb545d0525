import { Kind, OperationTypeNode } from 'graphql';
import type { ConnectionSource } from '../graphql/connection.js';
import type { Context } from '../graphql/context.js';
import type { MeasuredOperation } from '../graphql/limits/measured.js';
import { presentMoment } from '../graphql/present.js';
import type { PageArguments } from '../paging/page-request.js';
import type { BoundArguments } from './bound-arguments.js';
import { AFTER_TEXT, BEFORE_TEXT, isForPlain } from './marks.js';
import type { InfoPart, ListNode, ListPart, OperationPlan, Root } from './plan.js';
import { planOperation } from './planner.js';
import { PlannedOperation, readText } from './planned.js';
import { StatementTexts } from './statement-texts.js';
import { Unsupported } from './unsupported.js';

const TEXTS = new RegExp(`${BEFORE_TEXT}([^${AFTER_TEXT}]*)${AFTER_TEXT}`, 'g');

/** How a document of ours is answered without the plain executor: it has one field of the query. */
export interface TrustedPlan {
  /**
   * The document's data.
   *
   * @returns undefined when the plain executor has to answer, or to report what is wrong
   * @throws what reading its page throws
   */
  read(variables: Record<string, unknown>, context: Context): Promise<Record<string, unknown> | undefined>;
}

/** Null for a document that only the plain executor can answer. */
export function trustedPlan({ schema, operation, fragments }: MeasuredOperation): TrustedPlan | null {
  if (operation.operation !== OperationTypeNode.QUERY) return null;
  try {
    const plan = planOperation(schema, fragments, operation, {});
    const [root] = plan.roots;
    if (!root || plan.roots.length > 1 || 'text' in root.is) return null;
    const { is, key } = root;
    return 'list' in is && plan.nodes.length === 1 && is.list.parts.every(isOfRows)
      ? new RowsPlan(key, is.list)
      : new StatementPlan(plan, root);
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/** One list whose rows are copied as texts: no aggregate, which would sort each page. */
class RowsPlan implements TrustedPlan {
  private readonly variableOf: Readonly<Record<string, string>>;

  constructor(
    private readonly key: string,
    private readonly list: ListNode,
  ) {
    this.variableOf = variablesOf(list);
  }

  async read(
    variables: Record<string, unknown>,
    context: Context,
  ): Promise<Record<string, unknown> | undefined> {
    const { source, parts } = this.list;
    // The route gives the values of all other arguments by name.
    const { first = '', after = '' } = this.variableOf;
    const page = await source.read(
      undefined as never,
      { first: variables[first], after: variables[after] } as PageArguments,
      context,
    );
    return { [this.key]: objectOf(parts, (part) => partOf(part, page)) };
  }
}

/** The variables of a field's arguments, by argument. @throws Unsupported for an argument that is none */
function variablesOf({ node }: ListNode): Record<string, string> {
  return Object.fromEntries(
    (node.arguments ?? []).map(({ name, value }) => {
      if (value.kind !== Kind.VARIABLE) throw new Unsupported('an argument that is no variable');
      return [name.value, value.name.value];
    }),
  );
}

const isOfRows = ({ is }: ListPart) => is === 'json' || is === 'pageInfo';

function partOf(part: ListPart, page: ConnectionSource): unknown {
  if (part.is === 'json') return page.json;
  const { pageInfo } = page;
  return part.is === 'pageInfo' ? objectOf(part.parts, ({ is }) => pageInfo[is as InfoName]) : undefined;
}

type InfoName = Exclude<InfoPart['is'], 'sql'>;

function objectOf<Part extends { key: string }>(
  parts: readonly Part[],
  valueOf: (part: Part) => unknown,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const part of parts) object[part.key] = valueOf(part);
  return object;
}

/** A row, with lists of its own: one statement answers all of it. */
class StatementPlan implements TrustedPlan {
  private readonly planned: PlannedOperation;

  constructor(
    plan: OperationPlan,
    private readonly root: Root,
  ) {
    // The route gives the values of arguments by name, whatever the document says.
    for (const node of plan.nodes) node.isFixed = false;
    // We write these documents, and they are few.
    this.planned = new PlannedOperation(plan, new StatementTexts('own', () => true));
  }

  async read(
    variables: Record<string, unknown>,
    context: Context,
  ): Promise<Record<string, unknown> | undefined> {
    const bound = this.bind(variables, context);
    const [statement] = (bound && this.planned.statements(bound, () => true)) ?? [];
    if (!bound || !statement) return undefined;
    const text = await readText(statement, bound, context.storage, context.tokens);
    return isForPlain(text) ? undefined : { [this.root.key]: dataOf(text) };
  }

  private bind(
    variables: Record<string, unknown>,
    { tokens, trusted, now }: Context,
  ): readonly BoundArguments[] | undefined {
    try {
      return this.planned.bind(variables, { tokens, trusted, present: presentMoment({ now }) });
    } catch {
      return undefined;
    }
  }
}

/** The value of a JSON text; marked texts in it are kept as they are. */
function dataOf(text: string): unknown {
  const texts: string[] = [];
  const marked = text.replace(TEXTS, (_mark, handed: string) => `{"":${texts.push(handed) - 1}}`);
  return withTexts(JSON.parse(marked), texts);
}

function withTexts(data: unknown, texts: readonly string[]): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const members = data as Record<string, unknown>;
  // No field has an empty name.
  if ('' in members) return texts[Number(members[''])];
  for (const [key, value] of Object.entries(members)) members[key] = withTexts(value, texts);
  return members;
}
