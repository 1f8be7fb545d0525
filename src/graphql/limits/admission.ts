import { OperationTypeNode } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Access } from '../../access/access-control.js';
import { refusal } from '../../access/charge.js';
import type { FieldLimiter } from '../../access/field-limiter.js';
import { AppError } from '../../errors.js';
import { ComplexityLimits, insistOnLimits, ourRequest } from './complexity.js';
import type { DocumentLimits, MeasuredRequest } from './complexity.js';
import { MeasuredDocument, type MeasuredOperation } from './measured.js';

/** How an operation was admitted. */
export interface Admitted {
  /** Whether it only asked what it costs: nothing of it runs. */
  isDryRun: boolean;
  /** Why none of its root fields runs but the free ones; undefined if all run. */
  refusal: Error | undefined;
}

/** What a request says about its operation other than the document. */
export interface Circumstances {
  isDryRun: boolean;
  /** Whether it came from a page of another site, which may not change anything here. */
  foreign: boolean;
}

export interface AdmissionOptions {
  /** The schema of the documents. */
  schema: GraphQLSchema;
  /** Null for documents of ours. */
  limits: DocumentLimits | null;
  fields: FieldLimiter;
  /** Names of root fields that cost nothing, such as `rateLimit`. */
  freeFields: ReadonlySet<string>;
  /** Whether a document may use so many bytes more of the memory of its cache. */
  makeRoom: (document: DocumentNode, bytes: number) => boolean;
  /** Whether an operation of introspection is answered from memory. */
  isAnswered: (document: DocumentNode, operation: OperationDefinitionNode) => boolean;
}

/**
 * Fields of an answer to introspection that one request pays for: an ordinary request takes about as long as
 * making so many.
 */
const INTROSPECTED_PER_REQUEST = 1000;
const RUNS: Admitted = { isDryRun: false, refusal: undefined };
const DRY_RUN: Admitted = { isDryRun: true, refusal: undefined };
/** Of a query without extensions: see Circumstances. */
export const USUAL: Circumstances = { isDryRun: false, foreign: false };

/**
 * Admits operations before anything of them runs, whichever executor runs them: their complexity, their
 * charge, and the calls of fields that have their own limits.
 */
export class Admission {
  private readonly complexity: ComplexityLimits | null;
  private readonly documents = new WeakMap<DocumentNode, MeasuredDocument>();

  constructor(private readonly options: AdmissionOptions) {
    const { schema, limits } = options;
    this.complexity = limits && new ComplexityLimits(schema, limits);
  }

  /**
   * The operation that a request means; undefined if the document has none of that name, which execution
   * reports.
   *
   * @param document validated
   */
  operationOf(document: DocumentNode, name: string | null | undefined): MeasuredOperation | undefined {
    let measured = this.documents.get(document);
    if (!measured) {
      const { schema, makeRoom } = this.options;
      measured = new MeasuredDocument(schema, document, (bytes) => makeRoom(document, bytes));
      this.documents.set(document, measured);
    }
    return measured.operation(name);
  }

  /** An operation with the variables of a request, to be admitted. */
  measure(
    operation: MeasuredOperation,
    given: Readonly<Record<string, unknown>> | null | undefined,
  ): MeasuredRequest {
    return this.complexity?.measure(operation, given) ?? ourRequest(operation, given ?? {});
  }

  /**
   * Weighs and charges an operation, or refuses it. A second call, by the other executor, gets the same
   * answer and charges nothing.
   *
   * @throws AppError for what is refused as a whole
   */
  async admit(
    request: MeasuredRequest,
    access: Access,
    { isDryRun, foreign }: Circumstances = USUAL,
  ): Promise<Admitted> {
    const { charge, record } = access;
    const { operation, cost, variables } = request;
    if (this.complexity) {
      record.weigh(operation.operation.name?.value, cost.data + cost.introspection);
      charge.weigh(cost.data);
      insistOnLimits(request);
    }
    if (isDryRun && variables) {
      // Calculating is work.
      const decision = await charge.take(1);
      if (!decision.admitted) throw refusal(decision, charge.plan);
      return DRY_RUN;
    }
    if (foreign && operation.operation.operation === OperationTypeNode.MUTATION) throw foreignOrigin();
    // Execution returns the error of the variables, and nothing is charged here.
    if (!variables) return RUNS;
    if (charge.decision?.admitted && !this.options.fields.concerns(charge, operation)) return RUNS;
    const refused = await this.charge(request, variables, charge);
    return refused ? { isDryRun: false, refusal: refused } : RUNS;
  }

  /**
   * Takes the price of all root fields in one step: 1 for each response key that is not free, so that aliases
   * count and a field selected twice under one key does not, or more by the operation's cost
   * (access/charge.ts) or by what its introspection takes; at least 1. Then the calls of fields with limits
   * of their own are counted, wherever in the operation they are. An operation is admitted or refused as a
   * whole.
   *
   * @returns the refusal of its root fields
   * @throws AppError the refusal of an operation with introspection or __typename, or with free fields only
   */
  private async charge(
    { operation, rootFields, cost }: MeasuredRequest,
    variableValues: Record<string, unknown>,
    charge: Access['charge'],
  ): Promise<Error | undefined> {
    const { fields, freeFields, isAnswered } = this.options;
    if (!charge.decision?.admitted) {
      if (cost.introspection > 0 && !isAnswered(operation.document, operation.operation))
        charge.owe(cost.introspection / INTROSPECTED_PER_REQUEST);
      const paid = rootFields.filter((name) => name !== '__typename' && !freeFields.has(name)).length;
      try {
        const decision = charge.decision ?? (await charge.takeOperation(Math.max(1, paid)));
        if (!decision.admitted) throw refusal(decision, charge.plan);
      } catch (error) {
        if (paid === 0 || rootFields.some((name) => name.startsWith('__'))) throw error;
        return asError(error);
      }
    }
    const { root: parentType } = operation;
    if (!parentType || !fields.concerns(charge, operation)) return undefined;
    const { schema, fragments, operation: node } = operation;
    const counted = { schema, fragments, operation: node, parentType, variableValues };
    return charge.takeCalls(() => fields.take(charge, counted)).then(() => undefined, asError);
  }
}

const asError = (error: unknown) => error as Error;

/**
 * Whether a request only asks what its operation would cost (docs/contract.md, "What an operation costs").
 */
export function asksForCost({ extensions }: Pick<GraphQLParams, 'extensions'>): boolean {
  const cost = extensions?.['cost'] as { dryRun?: unknown } | null | undefined;
  return cost?.dryRun === true;
}

/** The refusal of a change that comes from a site that CORS_ORIGIN does not name: see http/origin.ts. */
export function foreignOrigin(): AppError {
  return new AppError('FORBIDDEN', 'Pages of this origin may not send mutations here');
}
