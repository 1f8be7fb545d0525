import { locatedError, type GraphQLError } from 'graphql';
import type { Access } from '../access/access-control.js';
import { inTime } from '../failure.js';
import { storageFor, type Services } from '../graphql/context.js';
import type { Documents } from '../graphql/documents.js';
import type { NewDocuments } from '../graphql/new-documents.js';
import { asksForCost, type Admission } from '../graphql/limits/admission.js';
import { resultExtensions } from '../graphql/rate-limit.js';
import { takeHttp, toGraphQLError, type ResultType } from '../graphql/yoga.js';
import type { Reader } from '../storage/reader.js';
import { ReplyTooLarge } from '../storage/reply-bytes.js';
import type { BoundArguments } from './bound-arguments.js';
import { isForPlain } from './marks.js';
import type { Root } from './plan.js';
import { readText, type NamedStatement } from './planned.js';
import type { LiteralShapes } from './literal-shapes.js';
import type { PreparedOperation, Ready } from './prepared.js';
import { SeenOperations } from './seen-operations.js';

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
  hasErrors?: boolean;
  /** Whether it refuses a reply that would be too large. */
  isTooLarge?: boolean;
}

export interface ExecutorOptions {
  services: Services;
  /** Documents that have been validated. */
  documents: Documents;
  /** In whose turns operations are planned. */
  newDocuments: NewDocuments;
  /** Documents that differ in literals alone. */
  shapes: LiteralShapes;
  /** See Admission: of clients' operations on the published schema. */
  admission: Admission;
}

/** The text of a field, or why it has none. */
type Outcome = { text: string } | { error: unknown };

/**
 * Answers operations that were seen before with one statement for each field of the query, whose text is the
 * reply's. What it cannot answer exactly as the plain executor would, it leaves to that one
 * (docs/decisions/0018-one-statement.md).
 */
export class PreparedExecutor {
  private readonly seen: SeenOperations;

  constructor(private readonly options: ExecutorOptions) {
    const { documents, admission, services } = options;
    this.seen = new SeenOperations(documents, admission, services);
  }

  /**
   * @param type of the result
   * @returns undefined when the plain executor has to answer; what was paid until then counts for both
   */
  async answer(parameters: Parameters, access: Access, type: ResultType): Promise<Answer | undefined> {
    if (asksForCost(parameters)) return undefined;
    const { query, operationName, variables } = parameters;
    const prepared = this.seen.find(query, operationName);
    if (prepared) return this.run(prepared, variables, access, type);
    const { documents, shapes, newDocuments } = this.options;
    // A document that is cached was left to the plain executor before.
    if (documents.find(query)) return undefined;
    newDocuments.begun(access);
    // Who may not pay is refused before a new document is read, and who may waits for a turn: see readInTurn.
    const wouldRead = shapes.wouldRead(query);
    if (wouldRead && !(await mayPay(access))) return undefined;
    if (wouldRead) await newDocuments.turn(access);
    const same = shapes.find(query, variables);
    const other = same && this.seen.find(same.query, operationName);
    if (other && !wouldRead) newDocuments.ended(access);
    if (!other || (!wouldRead && !(await mayPay(access)))) return undefined;
    const answer = await this.run(other, same.variables, access, type);
    // Errors name positions in the text.
    return answer?.hasErrors === false ? answer : undefined;
  }

  private async run(
    prepared: PreparedOperation,
    given: Readonly<Record<string, unknown>> | undefined,
    access: Access,
    type: ResultType,
  ): Promise<Answer | undefined> {
    if (prepared.isPlain) return undefined;
    const { admission, documents, newDocuments } = this.options;
    const request = admission.measure(prepared.measured, given);
    const { variables, problems, operation } = request;
    // Planning comes before the charge, and what is too complex is not planned.
    if (!variables || problems.length > 0) return undefined;
    if (!prepared.isPlanned(variables)) await newDocuments.turn(access);
    const ready = prepared.ready(variables);
    // What is refused as a whole is the plain executor's to report.
    const admitted = ready && (await admission.admit(request, access).catch(() => undefined));
    if (!admitted) return undefined;
    documents.used();
    const { trace, operation: name } = access.record;
    const ended = trace?.operation(operation.operation.operation, name);
    const outcomes = await this.outcomes(ready, admitted.refusal, access);
    if (outcomes === undefined) return undefined;
    const { data, errors } = outcomes instanceof Error ? this.failed(outcomes) : this.gather(ready, outcomes);
    ended?.(errors.length > 0);
    const { status, headers } = takeHttp(errors, type);
    const members = [
      ...(data === undefined ? [] : [`"data":${data}`]),
      ...(errors.length > 0 ? [`"errors":${JSON.stringify(errors)}`] : []),
      `"extensions":${JSON.stringify(await resultExtensions(access))}`,
    ];
    return { status, headers, text: `{${members.join(',')}}`, hasErrors: errors.length > 0 };
  }

  /** Undefined when the plain executor has to answer; an error that fails the whole operation is returned. */
  private async outcomes(
    ready: Ready,
    refusal: Error | undefined,
    access: Access,
  ): Promise<Outcome[] | Error | undefined> {
    if (refusal) return ready.plan.roots.map(({ is }) => ('text' in is ? is : { error: refusal }));
    const running = this.ask(ready, storageFor(this.options.services, access));
    return inTime(running, access.time, access.abandon).catch((error: unknown) => error as Error);
  }

  /**
   * Undefined for a page that is empty because the row of its cursor may be gone, and for replies that may be
   * too large.
   *
   * @throws ReplyTooLarge
   */
  private async ask({ plan, statements, bound }: Ready, storage: Reader): Promise<Outcome[] | undefined> {
    const outcomes = await Promise.all(
      plan.roots.map(({ is }, index): Promise<Outcome> => {
        const statement = statements[index];
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
    const members = plan.roots.map((root, index) => {
      const outcome = outcomes[index] as Outcome;
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

const mayPay = async ({ charge }: Access) => !charge.limited || (await charge.look()).admitted;
