import {
  getOperationAST,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Documents } from './documents.js';
import { fragmentsOf } from './limits/fragments.js';
import { rootFieldsOf } from './limits/root-fields.js';

/** Data as text; reading them as an object parses the text again. */
class WrittenData {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Answers introspection that was seen before from the cache: a process executes and prints the usual one about 150
 * times a second, and the schema does not change while it runs.
 *
 * @param documents the cache in which answers count
 */
export function answerIntrospection(schema: GraphQLSchema, documents: Documents): Plugin {
  /** By the name of the operation; they are dropped with their documents. */
  const answers = new WeakMap<DocumentNode, Map<string, WrittenData>>();
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const { document, operationName } = args as ExecutionArgs;
      const operation = getOperationAST(document, operationName);
      if (!operation || !isIntrospection(schema, document, operation)) return;
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

/** Whether an operation selects nothing but introspection, and the same each time. */
function isIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  const root = schema.getRootType(operation.operation);
  if (!root || operation.variableDefinitions?.length) return false;
  const names = rootFieldsOf(schema, Object.fromEntries(fragmentsOf(document)), {}, root, operation);
  return names.every((name) => name.startsWith('__'));
}
