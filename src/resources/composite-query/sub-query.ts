import type { HolderQuery } from '../evm-holding/holders.js';
import type { SubQueryParameters, SubQueryValues } from './parameter.js';

/** A type of sub-query: what its parameters are and which question they make. */
export interface SubQueryType {
  /** As REST names it; GraphQL's input field is the same with a small first letter. */
  type: string;
  description: string;
  parameters: SubQueryParameters;
  /** @throws AppError BAD_USER_INPUT for parameters that do not go together */
  resolve: (values: never) => HolderQuery;
}

/** Declares a type of sub-query; only ties the types of its parts together. */
export function defineSubQuery<P extends SubQueryParameters>(type: {
  type: string;
  description: string;
  parameters: P;
  resolve: (values: SubQueryValues<P>) => HolderQuery;
}): SubQueryType {
  return type;
}

/** Name of the input field of a type. */
export function inputField({ type }: SubQueryType): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}
