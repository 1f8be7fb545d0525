import {
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../graphql/context.js';
import { fragmentsOf } from '../graphql/limits/fragments.js';
import { presentMoment } from '../graphql/present.js';
import type { BoundArguments } from './bound-arguments.js';
import { AFTER_TEXT, BEFORE_TEXT, isForPlain } from './marks.js';
import type { Root } from './plan.js';
import { planOperation } from './planner.js';
import { PlannedOperation, readText } from './planned.js';
import { StatementTexts } from './statement-texts.js';
import { Unsupported } from './unsupported.js';

const TEXTS = new RegExp(`${BEFORE_TEXT}([^${AFTER_TEXT}]*)${AFTER_TEXT}`, 'g');

/** A trusted document with one field of the query that one statement answers. */
export class TrustedStatement {
  private readonly planned: PlannedOperation;

  private constructor(
    readonly operation: OperationDefinitionNode,
    readonly fragments: Record<string, FragmentDefinitionNode>,
    plan: PlannedOperation['plan'],
    private readonly root: Root,
  ) {
    // We write these documents, and they are few.
    this.planned = new PlannedOperation(plan, new StatementTexts('own', () => true));
  }

  /** Null for a document that the plain executor also answers with one statement, or that only it can answer. */
  static of(schema: GraphQLSchema, document: DocumentNode): TrustedStatement | null {
    const operation = getOperationAST(document);
    if (operation?.operation !== OperationTypeNode.QUERY) return null;
    try {
      const fragments = Object.fromEntries(fragmentsOf(document));
      const plan = planOperation(schema, fragments, operation, {});
      // The route gives the values of arguments by name, whatever the document says.
      for (const node of plan.nodes) node.isFixed = false;
      const [root] = plan.roots;
      return root && plan.roots.length === 1 && plan.nodes.length > 1
        ? new TrustedStatement(operation, fragments, plan, root)
        : null;
    } catch (error) {
      if (error instanceof Unsupported) return null;
      throw error;
    }
  }

  /**
   * The document's data.
   *
   * @returns undefined when the plain executor has to answer, or to report what is wrong
   */
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
