import pg from 'pg';
import utils from 'pg/lib/utils.js';

/** How the rows of a statement are read: a name and a parser for each column. */
interface RowShape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/** The shapes of the statements that one connection keeps prepared, by name. */
export type RowShapes = Map<string, RowShape>;

/**
 * A hot read on a connection. It asks for the description of its rows once on each connection, where pg's own
 * query asks every time, and it makes neither an emitter nor a result with it: one statement takes about 18
 * µs less of Node's time.
 *
 * `rows` is rejected with what the server or the connection says.
 */
export class NamedQuery<Row extends object> implements pg.Submittable {
  readonly rows: Promise<Row[]>;
  /** Called once, before `rows` is settled. */
  onEnd: (error: unknown, rows: number) => void = () => undefined;
  private readonly found: Row[] = [];
  private shape: RowShape | undefined;
  private shapes: RowShapes | undefined;
  private wrongRow: Error | undefined;
  private resolve!: (rows: Row[]) => void;
  private reject!: (error: unknown) => void;

  /** @param name under which the connection keeps it prepared; undefined: it is not kept */
  constructor(
    private statementName: string | undefined,
    readonly text: string,
    private readonly values: readonly unknown[],
  ) {
    this.rows = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get name(): string | undefined {
    return this.statementName;
  }

  /** @param shapes of the connection; null: it does not keep the statement */
  keepIn(shapes: RowShapes | null): void {
    if (shapes) this.shapes = shapes;
    else this.statementName = undefined;
  }

  /** Sends it. The names of the `handle…` methods are those that pg calls. */
  submit(connection: pg.Connection): Error | null {
    const { stream, parsedStatements, submittedNamedStatements } = connection as unknown as Sending;
    const { name = '', text } = this;
    // On a shared connection another read may have sent it, whose answer has not arrived.
    const known = name === '' ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]);
    if (known !== undefined && known !== text) return new Error(`two statements have the name ${name}`);
    const values = asSent(this.values);
    if (values instanceof Error) return values;
    this.shape = known === undefined ? undefined : this.shapes?.get(name);
    stream.cork();
    if (known === undefined) connection.parse({ name, text, types: [] }, true);
    if (known === undefined && name !== '') submittedNamedStatements[name] = text;
    connection.bind({ portal: '', statement: name, values }, true);
    if (!this.shape) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({ portal: '' }, true);
    connection.sync();
    stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const parsers = fields.map(
      ({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    );
    this.shape = { names: fields.map(({ name }) => name), parsers };
    if (this.name !== undefined) this.shapes?.set(this.name, this.shape);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { names, parsers } = this.shape as RowShape;
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index] as string | null;
        row[names[index] as string] = text === null ? null : parsers[index]?.(text);
      }
    } catch (error) {
      this.wrongRow = error as Error;
    }
    this.found.push(row as Row);
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handleError(error: unknown): void {
    this.onEnd(error, 0);
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.wrongRow) return this.handleError(this.wrongRow);
    this.onEnd(undefined, this.found.length);
    this.resolve(this.found);
  }
}

/** Values as the protocol has them. Some, such as an object with a cycle, cannot be sent. */
function asSent(values: readonly unknown[]): (Buffer | string | null)[] | Error {
  try {
    return values.map((value) => (typeof value === 'string' ? value : utils.prepareValue(value)));
  } catch (error) {
    return error as Error;
  }
}

/** What pg stores of a connection, and does not declare. */
interface Sending {
  stream: { cork: () => void; uncork: () => void };
  /** By name: whose parsing was confirmed, and whose was not yet. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
}
