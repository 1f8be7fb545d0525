import pg from 'pg';

/** What countStatements saw. */
export interface Counted<T> {
  result: T;
  /** The texts sent, in order. */
  statements: string[];
}

export interface CountOptions {
  /** Count BEGIN, COMMIT, ROLLBACK and SAVEPOINT too. */
  transactions?: boolean;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Runs `work` and tells the SQL statements that this process sent meanwhile, on whichever connection. */
export async function countStatements<T>(
  work: () => Promise<T>,
  { transactions = false }: CountOptions = {},
): Promise<Counted<T>> {
  const statements: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (...args) {
    const [first] = args;
    const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '');
    if (transactions || !/^\s*(begin|commit|rollback|savepoint|release)\b/i.test(text)) statements.push(text);
    return original.apply(this, args);
  };
  try {
    return { result: await work(), statements };
  } finally {
    prototype.query = original;
  }
}
