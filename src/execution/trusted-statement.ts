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
import type { Asking } from './asking.js';
import { AFTER_TEXT, BEFORE_TEXT, NOTHING } from './marks.js';
import type { Root } from './plan.js';
import { planOperation } from './planner.js';
import { PlannedOperation, readText } from './planned.js';
import { StatementTexts } from './statement-texts.js';
import { Unsupported } from './unsupported.js';

const TEXTS = new RegExp(`${BEFORE_TEXT}([^${AFTER_TEXT}]*)${AFTER_TEXT}`, 'g');

/** A trusted document of one field of the query that is answered by one statement. */
export class TrustedStatement {
  private readonly planned: PlannedOperation;

  private constructor(
    readonly operation: OperationDefinitionNode,
    readonly fragments: Record<string, FragmentDefinitionNode>,
    plan: PlannedOperation['plan'],
    private readonly root: Root,
  ) {
    // Documents of our own are few.
    this.planned = new PlannedOperation(plan, new StatementTexts(() => true));
  }

  /** Null for a document that the plain executor answers by one statement, or alone can answer. */
  static of(schema: GraphQLSchema, document: DocumentNode): TrustedStatement | null {
    const operation = getOperationAST(document);
    if (operation?.operation !== OperationTypeNode.QUERY) return null;
    try {
      const fragments = Object.fromEntries(fragmentsOf(document));
      const plan = planOperation(schema, fragments, operation, {});
      // What arguments mean comes from the route, by their names, whatever the document says of them.
      for (const node of plan.asked) node.isFixed = false;
      const [root] = plan.roots;
      return root && plan.roots.length === 1 && plan.asked.length > 1
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
   * @returns undefined when the plain executor has to answer, or to say what is wrong
   */
  async read(
    variables: Record<string, unknown>,
    context: Context,
  ): Promise<Record<string, unknown> | undefined> {
    const asked = this.asked(variables, context);
    const [statement] = (asked && this.planned.statements(asked, () => true)) ?? [];
    if (!asked || !statement) return undefined;
    const text = await readText(statement, asked, context.storage, context.tokens);
    return text.includes(NOTHING) ? undefined : { [this.root.key]: dataOf(text) };
  }

  private asked(
    variables: Record<string, unknown>,
    { tokens, trusted, now }: Context,
  ): readonly Asking[] | undefined {
    try {
      return this.planned.asked(variables, { tokens, trusted, present: presentMoment({ now }) });
    } catch {
      return undefined;
    }
  }
}

/** The value that a text means; texts in it are handed on as they are. */
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
