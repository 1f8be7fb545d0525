import {
  execute,
  getIntrospectionQuery,
  getOperationAST,
  GraphQLError,
  parse,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ParseOptions,
  type Source,
  validate,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Config } from '../../config.js';
import { inTime } from '../../failure.js';
import { AppError } from '../../errors.js';
import type { Access } from '../../access/access-control.js';
import type { Abandon } from '../../storage/abandon.js';
import type { Context } from '../context.js';
import { refuseLarge } from '../reply-size.js';
import { boundComparisons } from './comparisons.js';
import { calculateCost, type Cost } from './cost.js';
import { countAliases, measureDepth } from './shape.js';
import { parseBounded } from './tokens.js';
import { variableValues } from './variables.js';

export type DocumentLimits = Pick<
  Config,
  'MAX_COST' | 'MAX_DEPTH' | 'MAX_ALIASES' | 'MAX_TOKENS' | 'REQUEST_TIMEOUT_MS'
>;

/** How many times the usual introspection query a client may send in one document. */
const INTROSPECTIONS = 2;
/** Most errors of one document that are returned. Each gives its line, for which all lines before it are counted. */
const MOST_ERRORS = 10;
/** Costs of absurd documents exceed the range of exact numbers; their digits do not matter. */
const LARGEST_SHOWN = 1e15;

/**
 * The limits of client documents: tokens before parsing; cost, depth and aliases once the operation and its variables
 * are known and before any of it runs; time while it runs; and the size of the result. A plugin of the pipeline, so
 * that they apply however a document arrives.
 */
export function limitDocuments(schema: GraphQLSchema, limits: DocumentLimits): Plugin {
  const calculate = costCalculator(schema);
  const shapeOf = remember((operation: OperationDefinitionNode, document: DocumentNode) => ({
    aliases: countAliases(document),
    depth: measureDepth(document, operation),
  }));
  const introspectable = INTROSPECTIONS * introspectionCost(schema);
  return {
    onParse({ setParseFn }) {
      setParseFn((text: string | Source, options?: ParseOptions) =>
        parseBounded(text, limits.MAX_TOKENS, options),
      );
    },
    onValidate({ setValidationFn }) {
      setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules?: readonly ValidationRule[]) =>
        validateBounded(schema, document, rules),
      );
    },
    onExecute({ args, setExecuteFn }) {
      const { document, operationName, variableValues, contextValue } = args as ExecutionArgs;
      // Without an operation of that name there is no cost: execution returns the error.
      const operation = getOperationAST(document, operationName);
      if (!operation) return;
      const { aliases, depth } = shapeOf(operation, document);
      const cost = calculate(operation, document, variableValues);
      const { record, charge, time, abandon } = contextValue as Context;
      record.weigh(operation.name?.value, cost.data + cost.introspection);
      charge.weigh(cost.data);
      refuse([
        ...exceeded(aliases, limits.MAX_ALIASES, (n, max) => `has ${n} aliases; at most ${max} are allowed`),
        ...exceeded(
          depth,
          limits.MAX_DEPTH,
          (n, max) => `nests fields ${n} deep; at most ${max} are allowed`,
        ),
        ...exceeded(
          cost.data,
          limits.MAX_COST,
          (n, max) =>
            `costs ${n}; at most ${max} are allowed. Each field counts once for every row of the pages around it: request smaller pages (first, last) or fewer fields`,
        ),
        ...exceeded(
          cost.introspection,
          introspectable,
          (n, max) => `requests introspection of cost ${n}; at most ${max} are allowed`,
        ),
      ]);
      // In the versions that run on Node 20, Yoga's own executor returns fields that wait after those that do not.
      setExecuteFn((args: ExecutionArgs) => withinTime(execute(args), time, abandon));
    },
  };
}

/**
 * Ends an execution after a time. Its resolvers go on and are ignored, because graphql-js 16 takes no AbortSignal;
 * their reads are cancelled.
 */
function withinTime(
  result: ReturnType<typeof execute>,
  time: Access['time'],
  abandon: Abandon,
): ReturnType<typeof execute> {
  if (!isPromiseLike(result)) return refuseLarge(result);
  return inTime(Promise.resolve(result).then(refuseLarge), time, abandon);
}

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | undefined)?.then === 'function';

/** Costs by operation and variables; cached if no variable can change them. */
function costCalculator(schema: GraphQLSchema) {
  const withoutVariables = remember((operation: OperationDefinitionNode, document: DocumentNode) =>
    calculateCost(schema, document, operation, {}),
  );
  return (
    operation: OperationDefinitionNode,
    document: DocumentNode,
    given: ExecutionArgs['variableValues'],
  ): Cost => {
    const { variableDefinitions = [] } = operation;
    if (variableDefinitions.length === 0) return withoutVariables(operation, document);
    const coerced = variableValues(schema, operation, given);
    // Execution refuses values that do not fit their types.
    return coerced ? calculateCost(schema, document, operation, coerced) : { data: 0, introspection: 0 };
  };
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

function remember<T>(measure: (operation: OperationDefinitionNode, document: DocumentNode) => T) {
  const measured = new WeakMap<OperationDefinitionNode, T>();
  return (operation: OperationDefinitionNode, document: DocumentNode): T => {
    const known = measured.get(operation);
    if (known !== undefined) return known;
    const made = measure(operation, document);
    measured.set(operation, made);
    return made;
  };
}

/** validate() of graphql-js, for clients' documents. */
function validateBounded(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules?: readonly ValidationRule[],
): readonly GraphQLError[] {
  try {
    boundComparisons(document);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [new GraphQLError(error.message, { extensions: { code: error.code } })];
  }
  return validate(schema, document, rules, { maxErrors: MOST_ERRORS });
}

function exceeded(value: number, max: number, say: (shown: string, max: number) => string): string[] {
  if (value <= max) return [];
  return [say(value > LARGEST_SHOWN ? `more than ${LARGEST_SHOWN}` : String(value), max)];
}

function refuse(problems: string[]): void {
  if (problems.length === 0) return;
  const messages = problems.map((problem) => `The document ${problem}`);
  throw new AppError('QUERY_TOO_COMPLEX', messages.length === 1 ? (messages[0] ?? '') : messages);
}
