import { isNotPlanned } from '../storage/errors.js';
import type { Reader } from '../storage/reader.js';
import type { Statement } from '../storage/statement.js';
import type { TokenCodec } from '../paging/token.js';
import { bindArguments, type BoundArguments, type BindingOptions } from './bound-arguments.js';
import { tokensIn } from './cursors.js';
import { LOST_CURSOR } from './marks.js';
import type { OperationPlan } from './plan.js';
import { rootStatement, type StatementParameter } from './statement.js';
import type { StatementTexts } from './statement-texts.js';

export interface NamedStatement extends Statement {
  parameters: readonly StatementParameter[];
}

/** A statement for each field of the query; null for one whose text is constant. */
export type Statements = readonly (NamedStatement | null)[];

/**
 * Statements that the database refuses to plan: on Citus, those that read tables of a worker together with
 * other tables. A statement does not show where its tables are.
 */
const refused = new WeakSet<NamedStatement>();

/** A plan with what all of its requests share. */
export class PlannedOperation {
  private readonly fixed = new Map<number, BoundArguments>();
  /** By the shapes of the lists; null for statements that are too long, or for which there was no room. */
  private readonly made = new Map<string, Statements | null>();

  constructor(
    readonly plan: OperationPlan,
    private readonly texts: StatementTexts,
  ) {}

  /** See bindArguments. */
  bind(variables: Record<string, unknown>, options: BindingOptions): readonly BoundArguments[] {
    return bindArguments(this.plan, variables, options, this.fixed);
  }

  /**
   * @param mayMake called before statements of another shape are made
   * @returns null if they may not be made, would be too long, found no room, or were refused by the database
   */
  statements(bound: readonly BoundArguments[], mayMake: () => boolean): Statements | null {
    const key = bound.map(({ name }) => name).join(';');
    const known = this.made.get(key);
    if (known !== undefined) return known?.some((each) => each && refused.has(each)) ? null : known;
    if (!mayMake() || !this.texts.makeRoom(bytesOf(key, this.plan))) return null;
    const statements = statementsOf(this.plan, bound, this.texts);
    this.made.set(key, statements);
    return statements;
  }
}

function statementsOf(
  { roots }: OperationPlan,
  bound: readonly BoundArguments[],
  texts: StatementTexts,
): Statements | null {
  const statements: (NamedStatement | null)[] = [];
  for (const root of roots) {
    if ('text' in root.is) {
      statements.push(null);
      continue;
    }
    const { text, parameters } = rootStatement(root, bound);
    const named = texts.named(text);
    if (!named) return null;
    statements.push({ parameters, ...named });
  }
  return statements;
}

/** Bytes of statements of one shape without their texts. */
const bytesOf = (key: string, { roots, nodes }: OperationPlan) =>
  2 * key.length + 200 * roots.length + 500 * nodes.length;

/**
 * The JSON text of a field of the query, with page tokens; for what else may be in it see marks.ts.
 * LOST_CURSOR also if the database refuses such a statement.
 */
export async function readText(
  statement: NamedStatement,
  bound: readonly BoundArguments[],
  storage: Reader,
  tokens: TokenCodec,
): Promise<string> {
  const values = statement.parameters.map(({ index, name }) => bound[index]?.values[name]);
  try {
    const [row] = await storage.read<{ text: string }>(statement, values);
    return row ? tokensIn(row.text, bound, tokens) : 'null';
  } catch (error) {
    if (!isNotPlanned(error)) throw error;
    refused.add(statement);
    return LOST_CURSOR;
  }
}
