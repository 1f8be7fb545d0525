import { getOperationAST, type ExecutionArgs } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from './context.js';

/** Makes a span for each operation in the trace of its request, if there is one. */
export const traceOperations: Plugin = {
  onExecute({ args }) {
    const { document, operationName, contextValue } = args as ExecutionArgs;
    const { trace, operation: name } = (contextValue as Context).record;
    const operation = trace && getOperationAST(document, operationName);
    if (!operation) return;
    const ended = trace.operation(operation.operation, name);
    return {
      onExecuteDone({ result }) {
        ended(!isAsyncIterable(result) && (result.errors?.length ?? 0) > 0);
      },
    };
  },
};
