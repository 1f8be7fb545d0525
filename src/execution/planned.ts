import { isNotPlanned } from '../storage/errors.js';
import type { Storage } from '../storage/open.js';
import type { Statement } from '../storage/read.js';
import { documentStatement } from '../storage/statement.js';
import type { TokenCodec } from '../paging/token.js';
import { readAsked, type Asking, type AskingOptions } from './asking.js';
import { tokensIn } from './cursors.js';
import { NOTHING } from './marks.js';
import type { OperationPlan } from './plan.js';
import { rootStatement, type Slot } from './statement.js';

/** Longest text of a statement, characters. With the documents that are kept it bounds what all plans hold. */
const MOST_TEXT = 32_000;

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
  /** By the shapes of the lists; null for those that are too long. */
  private readonly made = new Map<string, Statements | null>();

  /** @param of whose document it is of */
  constructor(
    readonly plan: OperationPlan,
    private readonly of: 'client' | 'own',
  ) {}

  /** See readAsked. */
  asked(variables: Record<string, unknown>, options: AskingOptions): readonly Asking[] {
    return readAsked(this.plan, variables, options, this.fixed);
  }

  /**
   * @param mayMake asked before statements of another shape are made
   * @returns null where they may not be, would be too long, or were refused by the database
   */
  statements(asked: readonly Asking[], mayMake: () => boolean): Statements | null {
    const key = asked.map(({ name }) => name).join(';');
    const known = this.made.get(key);
    if (known !== undefined) return known?.some((each) => each && refused.has(each)) ? null : known;
    if (!mayMake()) return null;
    const statements = statementsOf(this.plan, asked, this.of);
    this.made.set(key, statements);
    return statements;
  }
}

function statementsOf(
  { roots }: OperationPlan,
  asked: readonly Asking[],
  of: 'client' | 'own',
): Statements | null {
  const statements = roots.map((root) => {
    if ('text' in root.is) return null;
    const { text, slots } = rootStatement(root, asked);
    return { ...documentStatement(of, text), slots };
  });
  return statements.every((each) => (each?.text.length ?? 0) <= MOST_TEXT) ? statements : null;
}

/**
 * The JSON text of a field of the query, page tokens in their places; for what else may be in it see marks.ts. NOTHING too
 * where the database refuses such a statement.
 */
export async function readText(
  statement: NamedStatement,
  asked: readonly Asking[],
  storage: Storage,
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
