import {
  getOperationAST,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { refusal } from '../access/charge.js';
import { rootFieldsOf } from '../access/root-field-limit.js';
import type { Context } from './context.js';
import type { Documents } from './documents.js';
import { fragmentsOf } from './limits/fragments.js';
import { variableValues } from './limits/variables.js';

/** Data as text; reading them as an object parses the text again. */
class WrittenData {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Charges what no root field charges, before anything of it runs: introspection, and operations of only free fields,
 * which cost 1. Introspection that was seen before is answered from the cache: a process executes and prints the usual
 * one about 150 times a second, and the schema does not change while it runs.
 *
 * @param freeFields names of the root fields that are not counted
 * @param documents the cache in which answers count
 */
export function answerIntrospection(
  schema: GraphQLSchema,
  freeFields: ReadonlySet<string>,
  documents: Documents,
): Plugin {
  /** By the name of the operation; they are dropped with their documents. */
  const answers = new WeakMap<DocumentNode, Map<string, WrittenData>>();
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const { document, operationName, variableValues, contextValue } = args as ExecutionArgs;
      const operation = getOperationAST(document, operationName);
      const names = operation && rootNames(schema, document, operation, variableValues);
      if (!operation || !names) return;
      const counted = names.filter((name) => name !== '__typename' && !freeFields.has(name));
      if (counted.length > 0 && !names.some((name) => name.startsWith('__'))) return;
      const { charge } = contextValue as Context;
      const decision = await charge.takeOperation(Math.max(1, counted.length));
      if (!decision.admitted) throw refusal(decision, charge.plan);

      if (operation.variableDefinitions?.length || !names.every((name) => name.startsWith('__'))) return;
      const known = answers.get(document)?.get(operationName ?? '');
      if (known) return setResultAndStopExecution({ data: known } as unknown as ExecutionResult);
      return {
        onExecuteDone({ result, setResult }) {
          if (isAsyncIterable(result) || !result.data || result.errors) return;
          const written = new WrittenData(JSON.stringify(result.data));
          setResult({ ...result, data: written } as unknown as ExecutionResult);
          if (!documents.makeRoom(document, 2 * written.text.length)) return;
          const ofDocument = answers.get(document) ?? new Map<string, WrittenData>();
          answers.set(document, ofDocument.set(operationName ?? '', written));
        },
      };
    },
  };
}

/** The text of a result; data that are text already are not printed again. */
export function resultText(result: ExecutionResult): string {
  const data: unknown = result.data;
  if (!(data instanceof WrittenData)) return JSON.stringify(result);
  // JSON has no undefined.
  const more = JSON.stringify({ ...result, data: undefined }).slice(1);
  return `{"data":${data.text}${more === '}' ? '' : ','}${more}`;
}

/** Names of the root fields that an operation selects; undefined when its variables do not fit. */
function rootNames(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: ExecutionArgs['variableValues'],
): string[] | undefined {
  const coerced = variableValues(schema, operation, given);
  const root = schema.getRootType(operation.operation);
  return coerced && root
    ? rootFieldsOf(schema, Object.fromEntries(fragmentsOf(document)), coerced, root, operation)
    : undefined;
}
