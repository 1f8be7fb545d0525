import { readNetwork, readPrimaryChain } from '../avalanche/input.js';
import { networks, parseBlockchainId, type Network, type PrimaryChain } from '../avalanche/networks.js';
import { badInput, quote } from '../errors.js';
import { connectionLimits, type PageLimits } from '../paging/page-request.js';
import { checkTokenForm } from '../paging/token.js';

/** JSON Schema of a parameter, for OpenAPI. */
export type ParameterSchema = Readonly<Record<string, unknown>>;

/** A parameter of a route: how it is described and how its text is read. */
export interface Parameter<T> {
  in: 'path' | 'query';
  description: string;
  schema: ParameterSchema;
  /** A value that works on the sample. */
  example?: unknown;
  /**
   * Reads the text; undefined when a query parameter is absent or empty.
   *
   * @param others values of the parameters declared before this one; undefined for a wrong one
   * @throws AppError BAD_USER_INPUT that names the parameter, the value and what is allowed
   */
  read(name: string, text: string | undefined, others: Readonly<Record<string, unknown>>): T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ParameterValues<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** A path segment. */
export function pathParameter<T>(
  options: Omit<Parameter<T>, 'in' | 'read'> & {
    read: (name: string, text: string, others: Readonly<Record<string, unknown>>) => T;
  },
): Parameter<T> {
  return { ...options, in: 'path', read: (name, text, others) => options.read(name, text ?? '', others) };
}

/** An optional query parameter; an absent or empty one is the fallback. */
export function queryParameter<T, F>(
  options: Omit<Parameter<T>, 'in' | 'read'> & {
    fallback: F;
    read: (name: string, text: string, others: Readonly<Record<string, unknown>>) => T;
  },
): Parameter<T | F> {
  return {
    ...options,
    in: 'query',
    read: (name, text, others) => (text ? options.read(name, text, others) : options.fallback),
  };
}

export const networkParameter = pathParameter<Network>({
  description: 'Network; testnet means fuji.',
  schema: { type: 'string', enum: ['mainnet', 'fuji', 'testnet'] },
  example: 'fuji',
  read: readNetwork,
});

/** A primary network chain by alias or id. Declare it after `network`. */
export function blockchainParameter(chains: readonly PrimaryChain[], example: string): Parameter<string> {
  return pathParameter({
    description: `Chain of the primary network: ${chains.map((chain) => `${chain}-chain`).join(', ')}, or the id of that blockchain on the network.`,
    schema: { type: 'string' },
    example,
    read: (name, text, { network }) => {
      // Beside a wrong network only what no network has is wrong.
      const known = network ? [network as Network] : networks.filter((each) => parseBlockchainId(each, text));
      readPrimaryChain(name, known[0] ?? 'mainnet', text, chains);
      return text;
    },
  });
}

export function pageSizeParameter({ max, default: fallback }: PageLimits): Parameter<number> {
  return queryParameter({
    description: `Most rows on the page, 1 to ${max}.`,
    schema: { type: 'integer', minimum: 1, maximum: max, default: fallback },
    fallback,
    read: (name, text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      if (value < 1 || value > max)
        throw badInput(`${name}: ${quote(text)} is not a whole number of 1 to ${max}`);
      return value;
    },
  });
}

export const pageTokenParameter = queryParameter<string, null>({
  description:
    'The nextPageToken of a previous page of the same list, valid for 24 hours. Empty or absent: the first page.',
  schema: { type: 'string' },
  fallback: null,
  read: checkTokenForm,
});

/** The paging of every list of the data service. */
export const pageParameters = {
  pageToken: pageTokenParameter,
  pageSize: pageSizeParameter(connectionLimits),
};

/** An optional parameter; an absent or empty one is null. */
function optionalParameter<T>(
  description: string,
  schema: ParameterSchema,
  read: (name: string, text: string) => T,
): Parameter<T | null> {
  return queryParameter<T, null>({ description, schema, fallback: null, read });
}

/** An optional network to filter by. */
export function networkFilter(description: string): Parameter<Network | null> {
  return optionalParameter(description, networkParameter.schema, readNetwork);
}

/**
 * An optional parameter whose text is passed on as it came once it has been checked.
 *
 * @param check throws AppError BAD_USER_INPUT
 */
export function checkedParameter(
  description: string,
  schema: ParameterSchema,
  check: (name: string, text: string) => unknown,
): Parameter<string | null> {
  return optionalParameter(description, schema, (name, text) => {
    check(name, text);
    return text;
  });
}

/**
 * An optional number of any size, passed on as text.
 *
 * @param read makes the number's text; throws AppError BAD_USER_INPUT
 */
export function numberParameter(
  description: string,
  schema: ParameterSchema,
  read: (name: string, text: string) => string,
): Parameter<string | null> {
  // In an address a plus that is not escaped means a space, and large numbers are printed as 1e+21.
  return optionalParameter(description, schema, (name, text) =>
    read(name, text.replace(/(^|e) (?=\d)/gi, '$1+')),
  );
}

export function booleanParameter(description: string): Parameter<boolean> {
  return queryParameter({
    description,
    schema: { type: 'boolean', default: false },
    fallback: false,
    read: (name, text) => {
      if (text !== 'true' && text !== 'false')
        throw badInput(`${name}: ${quote(text)} is neither true nor false`);
      return text === 'true';
    },
  });
}

/** @param fallback null for none: the parameter is a filter */
export function choiceParameter<const T extends string, const F extends T | null>(
  choices: readonly T[],
  fallback: F,
  description: string,
): Parameter<T | F> {
  return queryParameter<T, F>({
    description,
    schema: { type: 'string', enum: choices, ...(fallback !== null && { default: fallback }) },
    fallback,
    read: (name, text) => {
      const choice = choices.find((each) => each === text);
      if (!choice) throw badInput(`${name}: ${quote(text)} is not one of ${choices.join(', ')}`);
      return choice;
    },
  });
}

/**
 * Reads every parameter of a request; an array stands for a repeated query parameter.
 *
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function readParameters<P extends Parameters>(
  parameters: P,
  path: Readonly<Record<string, string | undefined>>,
  query: Readonly<Record<string, string | string[] | undefined>>,
  check: (read: () => unknown) => unknown,
): ParameterValues<P> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    values[name] = check(() => {
      const text = parameter.in === 'path' ? path[name] : query[name];
      if (Array.isArray(text)) throw badInput(`${name}: given ${text.length} times; it may be given once`);
      if (text?.includes('\0')) throw badInput(`${name}: holds a zero character`);
      return parameter.read(name, text, values);
    });
  }
  return values as ParameterValues<P>;
}
