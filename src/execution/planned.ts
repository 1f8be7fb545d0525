import { isNotPlanned } from '../storage/errors.js';
import type { Reader } from '../storage/reader.js';
import type { Statement } from '../storage/read.js';
import type { TokenCodec } from '../paging/token.js';
import { readAsked, type Asking, type AskingOptions } from './asking.js';
import { tokensIn } from './cursors.js';
import { NOTHING } from './marks.js';
import type { OperationPlan } from './plan.js';
import { rootStatement, type Slot } from './statement.js';
import type { StatementTexts } from './statement-texts.js';

export interface NamedStatement extends Statement {
  slots: readonly Slot[];
}

/** A statement for each field of the query; null for one whose text is known without. */
export type Statements = readonly (NamedStatement | null)[];

/**
 * Statements that the database does not plan: on Citus, what reads tables of a worker beside others. Where tables are no
 * statement can tell.
 */
const refused = new WeakSet<NamedStatement>();

/** A plan with what is the same for all of its requests. */
export class PlannedOperation {
  private readonly fixed = new Map<number, Asking>();
  /** By the shapes of the lists; null for those that are too long, or found no room. */
  private readonly made = new Map<string, Statements | null>();

  constructor(
    readonly plan: OperationPlan,
    private readonly texts: StatementTexts,
  ) {}

  /** See readAsked. */
  asked(variables: Record<string, unknown>, options: AskingOptions): readonly Asking[] {
    return readAsked(this.plan, variables, options, this.fixed);
  }

  /**
   * @param mayMake asked before statements of another shape are made
   * @returns null where they may not be, would be too long, found no room, or were refused by the database
   */
  statements(asked: readonly Asking[], mayMake: () => boolean): Statements | null {
    const key = asked.map(({ name }) => name).join(';');
    const known = this.made.get(key);
    if (known !== undefined) return known?.some((each) => each && refused.has(each)) ? null : known;
    if (!mayMake() || !this.texts.makeRoom(bytesOf(key, this.plan))) return null;
    const statements = statementsOf(this.plan, asked, this.texts);
    this.made.set(key, statements);
    return statements;
  }
}

function statementsOf(
  { roots }: OperationPlan,
  asked: readonly Asking[],
  texts: StatementTexts,
): Statements | null {
  const statements: (NamedStatement | null)[] = [];
  for (const root of roots) {
    if ('text' in root.is) {
      statements.push(null);
      continue;
    }
    const { text, slots } = rootStatement(root, asked);
    const named = texts.named(text);
    if (!named) return null;
    statements.push({ ...named, slots });
  }
  return statements;
}

/** What statements of one shape take beside their texts. */
const bytesOf = (key: string, { roots, asked }: OperationPlan) =>
  2 * key.length + 200 * roots.length + 500 * asked.length;

/**
 * The JSON text of a field of the query, page tokens in their places; for what else may be in it see marks.ts. NOTHING too
 * where the database refuses such a statement.
 */
export async function readText(
  statement: NamedStatement,
  asked: readonly Asking[],
  storage: Reader,
  tokens: TokenCodec,
): Promise<string> {
  const values = statement.slots.map(({ index, name }) => asked[index]?.values[name]);
  try {
    const [row] = await storage.read<{ text: string }>(statement, values);
    return row ? tokensIn(row.text, asked, tokens) : 'null';
  } catch (error) {
    if (!isNotPlanned(error)) throw error;
    refused.add(statement);
    return NOTHING;
  }
}
