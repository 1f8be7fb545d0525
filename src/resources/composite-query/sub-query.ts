import type { HolderQuery } from '../evm-holding/holders.js';
import type { Arguments, ArgumentValues } from '../../arguments/argument.js';
import type { ReadValues } from './parameter.js';

/** A type of sub-query: its parameters and the question that they make. */
export interface SubQueryType {
  /** Its name in REST; GraphQL's input field is the same with a small first letter. */
  type: string;
  description: string;
  parameters: Arguments;
  /** Which of them go together, if not all do: see SubQueryForm. */
  forms?: Readonly<Record<string, SubQueryForm>>;
  /** @throws AppError BAD_USER_INPUT for parameters that do not go together; also called if some are wrong */
  check?: (values: never) => void;
  resolve: (values: never) => HolderQuery;
}

/** A way to give the parameters of a type, for the OpenAPI document; `check` enforces it. */
export interface SubQueryForm {
  /** Optional ones that it needs. */
  needs?: readonly string[];
  /** Optional ones that it must not have. */
  excludes?: readonly string[];
  /** The choice of a parameter to which it belongs. */
  is?: Readonly<Record<string, string>>;
}

/** Declares a type of sub-query; it only connects the types of its parts. */
export function defineSubQuery<P extends Arguments>(type: {
  type: string;
  description: string;
  parameters: P;
  forms?: Readonly<Record<string, SubQueryForm>>;
  check?: (values: ReadValues<P>) => void;
  resolve: (values: ArgumentValues<P>) => HolderQuery;
}): SubQueryType {
  return type;
}

/** Name of the input field of a type. */
export function inputField({ type }: SubQueryType): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}
