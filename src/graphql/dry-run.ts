import { getOperationAST, type ExecutionArgs } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { refusal } from '../access/charge.js';
import type { Context } from './context.js';
import { variableValues } from './limits/variables.js';

/**
 * Answers a dry run (docs/contract.md, "What an operation costs"): the cost was calculated, and refused if it is over a
 * limit, and nothing is executed. It costs 1, because calculating is work.
 */
export const answerDryRuns: Plugin = {
  async onExecute({ args, setResultAndStopExecution }) {
    const { schema, document, operationName, variableValues: given, contextValue } = args as ExecutionArgs;
    const { charge, params } = contextValue as Context & { params: GraphQLParams };
    if (!isDryRun(params)) return;
    const operation = getOperationAST(document, operationName);
    // Without such an operation, or with variables that do not fit, execution runs nothing and returns the error.
    if (!operation || !variableValues(schema, operation, given)) return;
    const decision = await charge.take(1);
    if (!decision.admitted) throw refusal(decision, charge.plan);
    setResultAndStopExecution({ data: null });
  },
};

/** Whether a request only asks what its operation would cost. */
export function isDryRun({ extensions }: Pick<GraphQLParams, 'extensions'>): boolean {
  const cost = extensions?.['cost'] as { dryRun?: unknown } | null | undefined;
  return cost?.dryRun === true;
}
