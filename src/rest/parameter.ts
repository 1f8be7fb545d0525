import { optional, readArgument } from '../arguments/argument.js';
import type { Argument, Arguments, ArgumentValues } from '../arguments/argument.js';
import { refuseNearSpellings } from '../arguments/near-spelling.js';
import { badInput, quote } from '../errors.js';
import { connectionLimits, type PageLimits } from '../paging/page-request.js';
import { checkTokenForm } from '../paging/token.js';
import { UUID_V4_PATTERN } from '../paging/uuid.js';

/** Longest path segment; no id, hash or address is longer. */
const MAX_SEGMENT = 500;

export function pageSizeArgument({ max, default: fallback }: PageLimits): Argument<number> {
  return {
    type: 'Int',
    description: `Maximum number of rows on the page, 1 to ${max}.`,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: max, default: fallback },
    default: fallback,
    mayBeEmpty: true,
    read: (name, value) => {
      const text = String(value);
      const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      if (size >= 1 && size <= max) return size;
      throw badInput(`${name}: ${quote(text)} is not a whole number of 1 to ${max}`);
    },
  };
}

export const pageTokenArgument = optional<string>({
  type: 'String',
  description:
    'The nextPageToken of a previous page of the same list, valid for 24 hours. Empty or absent: the first page.',
  schema: { type: 'string', pattern: `^$|${UUID_V4_PATTERN}` },
  mayBeEmpty: true,
  read: (name, value) => checkTokenForm(name, String(value)),
});

/** The paging of every list of the data service. */
export const pageArguments = { pageToken: pageTokenArgument, pageSize: pageSizeArgument(connectionLimits) };

/** A request's parameters: their values, their texts, and the variables that they make. */
export interface ReadParameters<P extends Arguments> {
  values: ArgumentValues<P>;
  texts: { readonly [Name in keyof P]?: string };
  variables: Record<string, unknown>;
}

/**
 * Reads every parameter of a request; an array means that one is repeated in the query string. Other names
 * are ignored, except misspelt ones.
 *
 * @throws AppError BAD_USER_INPUT that names every wrong one
 */
export function readParameters<P extends Arguments>(
  parameters: P,
  path: Readonly<Record<string, string | undefined>>,
  query: Readonly<Record<string, string | string[] | undefined>>,
  check: (read: () => unknown) => unknown,
): ReadParameters<P> {
  const values: Record<string, unknown> = {};
  const texts: Record<string, string> = {};
  const variables: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    values[name] = check(() => {
      const all = path[name] ?? query[name];
      const text = Array.isArray(all) && parameter.mayRepeat ? all.join(',') : all;
      if (Array.isArray(text)) throw repeated(name, text, parameter);
      if ((path[name]?.length ?? 0) > MAX_SEGMENT)
        throw badInput(`${name}: is longer than ${MAX_SEGMENT} characters`);
      if (text?.includes('\0')) throw badInput(`${name}: contains a zero character`);
      const isAbsent = text === undefined || (text === '' && parameter.mayBeEmpty);
      const given = isAbsent ? undefined : fromText(parameter, text);
      const value = readArgument(parameter, name, given, values);
      if (Array.isArray(value) && value.length === 0)
        throw badInput(`${name}: is empty; omit it to apply no filter`);
      if (text !== undefined) texts[name] = text;
      // GraphQL accepts no text for an Int.
      const variable = parameter.type === 'Int' ? value : given;
      if (variable !== undefined) variables[name] = variable;
      return value;
    });
  }
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(texts, name));
  if (unknown.length > 0) {
    const known = Object.keys(parameters).filter((name) => !Object.hasOwn(path, name));
    check(() => refuseNearSpellings(unknown, known));
  }
  return { values: values as ArgumentValues<P>, texts: texts, variables };
}

function repeated(name: string, { length }: string[], { type }: Argument<unknown>): Error {
  const how = Array.isArray(type) ? ', with commas between its items' : '';
  return badInput(`${name}: given ${length} times; it may be given once${how}`);
}

/** A text as it would be given in GraphQL. */
function fromText({ type }: Argument<unknown>, text: string): unknown {
  if (Array.isArray(type)) return text.split(',');
  if (type === 'Boolean') return text === 'true' ? true : text === 'false' ? false : text;
  // In an address an unescaped plus means a space, and large numbers are printed as 1e+21.
  if (type === 'Decimal' || type === 'Long') return text.replace(/(^|e) (?=\d)/gi, '$1+');
  return text;
}
