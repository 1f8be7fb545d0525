import { getIntrospectionQuery, getOperationAST, parse, type GraphQLSchema } from 'graphql';
import type { Config } from '../../config.js';
import { AppError } from '../../errors.js';
import { calculateCost, type Cost } from './cost.js';
import type { Measured, MeasuredOperation } from './measured.js';
import type { Shape } from './shape.js';

export type DocumentLimits = Pick<Config, 'MAX_COST' | 'MAX_DEPTH' | 'MAX_ALIASES' | 'MAX_TOKENS'>;

/** How many times the usual introspection query a client may send in one document. */
const INTROSPECTIONS = 2;
/** Costs of absurd documents exceed the range of exact numbers; their digits do not matter. */
const LARGEST_SHOWN = 1e15;
const NOTHING: Measured = { cost: { data: 0, introspection: 0 }, rootFields: [] };
const NO_PROBLEMS: readonly string[] = [];

/** An operation with the variables of a request, and what its limits say of both. */
export interface MeasuredRequest extends Measured {
  operation: MeasuredOperation;
  /**
   * Coerced; undefined if they do not fit, which execution reports. There is no cost then, nor beyond the
   * limits of shape.
   */
  variables: Record<string, unknown> | undefined;
  /**
   * The limits that it exceeds, each as the end of a sentence that begins with "the document". Those of cost
   * are compared only when aliases and depth are within theirs.
   */
  problems: readonly string[];
}

/** A request with a document of ours, for which there are no such limits. */
export const ourRequest = (
  operation: MeasuredOperation,
  variables: Record<string, unknown>,
): MeasuredRequest => {
  const { cost, rootFields } = NOTHING;
  return { operation, variables, cost, rootFields, problems: NO_PROBLEMS };
};

/** The limits of clients' operations that are known before anything of them runs: aliases, depth and cost. */
export class ComplexityLimits {
  private readonly introspectable: number;

  constructor(
    schema: GraphQLSchema,
    private readonly limits: DocumentLimits,
  ) {
    this.introspectable = INTROSPECTIONS * introspectionCost(schema);
  }

  measure(
    operation: MeasuredOperation,
    given: Parameters<MeasuredOperation['variables']>[0],
  ): MeasuredRequest {
    const variables = operation.variables(given);
    const tooLarge = this.problemsOfShape(operation.shape);
    // Calculating takes longer than refusing, and would be done again for each new page size.
    const { cost, rootFields } = variables && tooLarge.length === 0 ? operation.measure(variables) : NOTHING;
    const problems = tooLarge.length > 0 ? tooLarge : this.problemsOfCost(cost);
    return { operation, variables, cost, rootFields, problems };
  }

  private problemsOfShape({ aliases, depth }: Shape): readonly string[] {
    const { MAX_ALIASES, MAX_DEPTH } = this.limits;
    // The usual case makes no sentences, which took 2 to 7 µs of each request.
    if (aliases <= MAX_ALIASES && depth <= MAX_DEPTH) return NO_PROBLEMS;
    return [
      ...exceeded(aliases, MAX_ALIASES, (n, max) => `has ${n} aliases; at most ${max} are allowed`),
      ...exceeded(depth, MAX_DEPTH, (n, max) => `nests fields ${n} deep; at most ${max} are allowed`),
    ];
  }

  private problemsOfCost({ data, introspection }: Cost): readonly string[] {
    const { MAX_COST } = this.limits;
    if (data <= MAX_COST && introspection <= this.introspectable) return NO_PROBLEMS;
    return [
      ...exceeded(
        data,
        MAX_COST,
        (n, max) =>
          `costs ${n}; at most ${max} are allowed. Each field counts once for every row of the pages around it: request smaller pages (first, last) or fewer fields`,
      ),
      ...exceeded(
        introspection,
        this.introspectable,
        (n, max) => `requests introspection of cost ${n}; at most ${max} are allowed`,
      ),
    ];
  }
}

/** @throws AppError QUERY_TOO_COMPLEX that names each of the problems */
export function insistOnLimits({ problems }: Pick<MeasuredRequest, 'problems'>): void {
  const messages = problems.map((problem) => `The document ${problem}`);
  if (messages.length === 0) return;
  throw new AppError('QUERY_TOO_COMPLEX', messages.length === 1 ? (messages[0] ?? '') : messages);
}

function exceeded(value: number, max: number, say: (shown: string, max: number) => string): string[] {
  if (value <= max) return [];
  return [say(value > LARGEST_SHOWN ? `more than ${LARGEST_SHOWN}` : String(value), max)];
}

function introspectionCost(schema: GraphQLSchema): number {
  const document = parse(
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
    }),
  );
  const operation = getOperationAST(document);
  return operation ? calculateCost(schema, document, operation, {}).introspection : 0;
}
