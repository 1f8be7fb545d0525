import { getOperationAST, OperationTypeNode, type ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { AppError } from '../errors.js';

/** Refuses mutations that a page of another site makes a browser send: see http/origin.ts. */
export const refuseForeignMutations: Plugin<{ foreign: boolean }> = {
  onExecute({ args }) {
    const { document, operationName, contextValue } = args as ExecutionArgs;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation === OperationTypeNode.MUTATION && (contextValue as { foreign: boolean }).foreign)
      throw foreignOrigin();
  },
};

/** The refusal of a change that comes from a site that CORS_ORIGIN does not name. */
export function foreignOrigin(): AppError {
  return new AppError('FORBIDDEN', 'Pages of this origin may not send mutations here');
}
