import { execute, GraphQLError, validate } from 'graphql';
import type {
  DocumentNode,
  ExecutionArgs,
  GraphQLSchema,
  ParseOptions,
  Source,
  ValidationRule,
} from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Access } from '../../access/access-control.js';
import { AppError } from '../../errors.js';
import { inTime } from '../../failure.js';
import type { Abandon } from '../../storage/abandon.js';
import type { Context } from '../context.js';
import { subscribeTexts, type ShowError } from '../event-texts.js';
import { refuseLarge } from '../reply-size.js';
import { asksForCost, type Admission } from './admission.js';
import { boundComparisons } from './comparisons.js';
import type { DocumentLimits } from './complexity.js';
import { parseBounded } from './tokens.js';

/** Most errors of one document that are returned. Each gives its line, found by counting lines. */
const MOST_ERRORS = 10;

/** What the HTTP layer and Yoga add to the context. */
type RequestContext = Context & { params: GraphQLParams; foreign: boolean };

/**
 * The limits of client documents: tokens before parsing; admission once the operation and its variables are
 * known and before any of it runs; time while it runs; and the size of the result. A plugin of the pipeline,
 * so that they apply however a document arrives.
 */
export function limitDocuments(
  admission: Admission,
  { MAX_TOKENS }: Pick<DocumentLimits, 'MAX_TOKENS'>,
  show: ShowError,
): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((text: string | Source, options?: ParseOptions) => parseBounded(text, MAX_TOKENS, options));
    },
    onValidate({ setValidationFn }) {
      setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules?: readonly ValidationRule[]) =>
        validateBounded(schema, document, rules),
      );
    },
    async onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const { document, operationName, variableValues, contextValue } = args as ExecutionArgs;
      const operation = admission.operationOf(document, operationName);
      if (!operation) return;
      const context = contextValue as RequestContext;
      const { params, foreign, time, abandon } = context;
      const request = admission.measure(operation, variableValues);
      const circumstances = { isDryRun: asksForCost(params), foreign };
      const { isDryRun, refusal } = await admission.admit(request, context, circumstances);
      if (isDryRun) return setResultAndStopExecution({ data: null });
      context.refusal = refusal;
      // In the versions that run on Node 20, Yoga's own executor returns fields that wait after those that do
      // not.
      setExecuteFn((args: ExecutionArgs) => withinTime(execute(args), time, abandon));
    },
    async onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const { document, operationName, variableValues, contextValue } = args as ExecutionArgs;
      const operation = admission.operationOf(document, operationName);
      if (!operation) return;
      const context = contextValue as RequestContext;
      const request = admission.measure(operation, variableValues);
      const circumstances = { isDryRun: asksForCost(context.params), foreign: context.foreign };
      const { isDryRun, refusal } = await admission.admit(request, context, circumstances);
      if (isDryRun) return setResultAndStopExecution({ data: null });
      context.refusal = refusal;
      setSubscribeFn((args: ExecutionArgs) => subscribeTexts(args, show));
    },
  };
}

/**
 * Ends an execution after a time. Its resolvers continue and are ignored, because graphql-js 16 takes no
 * AbortSignal; their reads are cancelled.
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

/** validate() of graphql-js, for clients' documents. */
export function validateBounded(
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
