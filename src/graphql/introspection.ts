import {
  getOperationAST,
  getVariableValues,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { createLRUCache, isAsyncIterable, type Plugin } from 'graphql-yoga';
import { refusal } from '../access/charge.js';
import { rootFieldsOf } from '../access/rate-limit-gate.js';
import type { Context } from './context.js';
import { fragmentsOf } from './limits/fragments.js';

/** Answers that are kept, and the longest of them, characters: the usual introspection has about 200,000. */
const KEPT_ANSWERS = 16;
const KEPT_LENGTH = 1_000_000;

/** Texts of the answers that are kept, by their data. */
const texts = new WeakMap<object, string>();

/**
 * Introspection is paid before anything of it runs, and answered from memory where it was asked before: a process
 * executes and writes out the usual one about 150 times a second, and the schema does not change while it runs.
 *
 * @param freeFields names of the root fields that cost nothing
 */
export function answerIntrospection(schema: GraphQLSchema, freeFields: ReadonlySet<string>): Plugin {
  const answers = createLRUCache<object>({ max: KEPT_ANSWERS });
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const { document, operationName, variableValues, contextValue } = args as ExecutionArgs;
      const operation = getOperationAST(document, operationName);
      const names = operation && rootNames(schema, document, operation, variableValues);
      if (!operation || !names?.some((name) => name.startsWith('__'))) return;
      const paid = names.filter((name) => name !== '__typename' && !freeFields.has(name)).length;
      if (paid === 0 && names.some((name) => freeFields.has(name))) return;
      const { charge } = contextValue as Context;
      const decision = await charge.takeOperation(Math.max(1, paid));
      if (!decision.admitted) throw refusal(decision, charge.plan);

      const text = document.loc?.source.body;
      if (operation.variableDefinitions?.length || !text || !names.every((name) => name.startsWith('__')))
        return;
      const key = `${operationName ?? ''}\n${text}`;
      const known = answers.get(key);
      if (known) return setResultAndStopExecution({ data: known } as ExecutionResult);
      return {
        onExecuteDone({ result }) {
          if (isAsyncIterable(result) || !result.data || result.errors) return;
          const written = JSON.stringify(result.data);
          if (written.length > KEPT_LENGTH) return;
          texts.set(result.data, written);
          answers.set(key, result.data);
        },
      };
    },
  };
}

/** The text of a result; what is known of it already is not written again. */
export function resultText(result: ExecutionResult): string {
  const known = result.data && texts.get(result.data);
  if (!known) return JSON.stringify(result);
  // JSON has no undefined.
  const more = JSON.stringify({ ...result, data: undefined }).slice(1);
  return `{"data":${known}${more === '}' ? '' : ','}${more}`;
}

/** Names of the root fields that an operation selects; undefined when its variables do not fit. */
function rootNames(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: ExecutionArgs['variableValues'],
): string[] | undefined {
  const { variableDefinitions = [] } = operation;
  const { coerced } = getVariableValues(schema, variableDefinitions, given ?? {});
  const root = schema.getRootType(operation.operation);
  return coerced && root
    ? rootFieldsOf(schema, Object.fromEntries(fragmentsOf(document)), coerced, root, operation)
    : undefined;
}
