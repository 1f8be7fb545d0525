import {
  getOperationAST,
  locatedError,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import type { Access } from '../access/access-control.js';
import type { FieldLimiter } from '../access/field-limiter.js';
import { inTime } from '../failure.js';
import { storageFor, type Services } from '../graphql/context.js';
import type { Documents } from '../graphql/documents.js';
import { isDryRun } from '../graphql/dry-run.js';
import { resultExtensions } from '../graphql/rate-limit.js';
import { takeHttp, toGraphQLError, type ResultType } from '../graphql/yoga.js';
import type { Reader } from '../storage/reader.js';
import { ReplyTooLarge } from '../storage/reply-bytes.js';
import type { BoundArguments } from './bound-arguments.js';
import { isForPlain } from './marks.js';
import type { Root } from './plan.js';
import { readText, type NamedStatement } from './planned.js';
import { PreparedOperation, type Ready } from './prepared.js';
import { StatementTexts } from './statement-texts.js';

/** Most operations of one document that are prepared; the plain executor runs the others. */
const MOST_OPERATIONS = 8;

/** What a request asks for. */
export interface Parameters {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
  extensions: Record<string, unknown> | undefined;
}

/** A reply. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Whether it refuses a reply that would be too large. */
  isTooLarge?: boolean;
}

export interface ExecutorOptions {
  /** The published schema. */
  schema: GraphQLSchema;
  services: Services;
  /** Documents that have been validated. */
  documents: Documents;
  fields: FieldLimiter;
  freeFields: ReadonlySet<string>;
}

interface SeenDocument {
  /** By name; null for those that the plain executor runs. */
  operations: Map<string, PreparedOperation | null>;
  texts: StatementTexts;
}

/** The text of a field, or why it has none. */
type Outcome = { text: string } | { error: unknown };

/**
 * Answers operations that were seen before with one statement for each field of the query, whose text is the reply's.
 * What it cannot answer exactly as the plain executor would, it leaves to that one
 * (docs/decisions/0018-one-statement.md).
 */
export class PreparedExecutor {
  /** Collected with their documents, and counted in the memory of these. */
  private readonly seen = new WeakMap<DocumentNode, SeenDocument>();

  constructor(private readonly options: ExecutorOptions) {}

  /**
   * @param type of the result
   * @returns undefined when the plain executor has to answer; what was paid until then counts for both
   */
  async answer(parameters: Parameters, access: Access, type: ResultType): Promise<Answer | undefined> {
    const { services, fields, documents } = this.options;
    const { charge, record, abandon } = access;
    if (isDryRun(parameters)) return undefined;
    const operation = this.operationOf(parameters);
    const ready = operation?.ready(parameters.variables);
    if (!operation || !ready) return undefined;
    const paid = this.paidFields(ready);
    if (paid === 0 || fields.concerns(charge, operation)) return undefined;
    charge.weigh(ready.cost);
    // The plain executor refuses what is over the limit now, and what no plan ever admits.
    const decision = charge.decision ?? (await charge.takeOperation(paid).catch(() => undefined));
    if (!decision?.admitted) return undefined;

    documents.used();
    record.weigh(operation.operation.name?.value, ready.cost);
    const storage = storageFor(services, access);
    const ended = record.trace?.operation(operation.operation.operation, record.operation);
    const running = this.run(ready, storage);
    const outcomes = await inTime(running, access.time, abandon).catch((error: unknown) => error as Error);
    if (outcomes === undefined) return undefined;
    const { data, errors } = outcomes instanceof Error ? this.failed(outcomes) : this.gather(ready, outcomes);
    ended?.(errors.length > 0);
    const { status, headers } = takeHttp(errors, type);
    const members = [
      ...(data === undefined ? [] : [`"data":${data}`]),
      ...(errors.length > 0 ? [`"errors":${JSON.stringify(errors)}`] : []),
      `"extensions":${JSON.stringify(await resultExtensions(access))}`,
    ];
    return { status, headers, text: `{${members.join(',')}}` };
  }

  private operationOf({ query, operationName }: Parameters): PreparedOperation | null {
    const { documents, schema, services } = this.options;
    const document = documents.find(query);
    if (!document) return null;
    const { operations, texts } = this.seenOf(document);
    const known = operations.get(operationName ?? '');
    if (known !== undefined) return known;
    if (operations.size >= MOST_OPERATIONS) return null;
    const operation = getOperationAST(document, operationName);
    // Clients choose the names: only names of operations that exist are remembered.
    if (!operation) return null;
    const { config: limits, tokens, now } = services;
    const made = PreparedOperation.of({ schema, limits, tokens, now, texts }, document, operation);
    operations.set(operationName ?? '', made);
    return made;
  }

  private seenOf(document: DocumentNode): SeenDocument {
    let seen = this.seen.get(document);
    if (!seen) {
      const texts = new StatementTexts('client', (bytes) => this.options.documents.makeRoom(document, bytes));
      this.seen.set(document, (seen = { operations: new Map(), texts }));
    }
    return seen;
  }

  private paidFields({ plan }: Ready): number {
    return plan.roots.filter(({ nodes }) => {
      const name = nodes[0]?.name.value ?? '';
      return !name.startsWith('__') && !this.options.freeFields.has(name);
    }).length;
  }

  /**
   * Undefined for a page that is empty because the row of its cursor may be gone, and for replies that may be too
   * large.
   *
   * @throws ReplyTooLarge
   */
  private async run({ plan, statements, bound }: Ready, storage: Reader): Promise<Outcome[] | undefined> {
    const outcomes = await Promise.all(
      plan.roots.map(({ is }, place): Promise<Outcome> => {
        const statement = statements[place];
        return statement
          ? this.read(statement, bound, storage)
          : Promise.resolve({ text: (is as { text: string }).text });
      }),
    );
    for (const outcome of outcomes) {
      if ('error' in outcome && outcome.error instanceof ReplyTooLarge) throw outcome.error;
      if ('text' in outcome && isForPlain(outcome.text)) return undefined;
    }
    return outcomes;
  }

  private async read(
    statement: NamedStatement,
    bound: readonly BoundArguments[],
    storage: Reader,
  ): Promise<Outcome> {
    try {
      return { text: await readText(statement, bound, storage, this.options.services.tokens) };
    } catch (error) {
      return { error };
    }
  }

  private gather({ plan }: Ready, outcomes: readonly Outcome[]) {
    const errors: GraphQLError[] = [];
    const members = plan.roots.map((root, place) => {
      const outcome = outcomes[place] as Outcome;
      // Every field of the published query may be null.
      if ('text' in outcome) return `"${root.key}":${outcome.text}`;
      errors.push(this.located(outcome.error, root));
      return `"${root.key}":null`;
    });
    return { data: `{${members.join(',')}}`, errors };
  }

  private located(error: unknown, { nodes, key }: Root): GraphQLError {
    return toGraphQLError(locatedError(error, nodes, [key]), this.options.services);
  }

  private failed(error: Error): { data?: string; errors: GraphQLError[] } {
    return { errors: [toGraphQLError(error, this.options.services)] };
  }
}
