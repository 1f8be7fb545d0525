import { parse } from 'graphql';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Argument, Arguments, ArgumentValues } from '../arguments/argument.js';
import type { RouteBody } from './body.js';
import { ref, type JsonSchemas } from '../fields/json-schema.js';
import { listReply, page } from './reply.js';
import { defineRoute, type Route } from './route.js';

interface Listed {
  readonly json: string;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** A list of GraphQL as a route: its page is the reply, its arguments are the parameters. */
interface ListRoute<P extends Arguments> extends Pick<Route, 'path' | 'summary' | 'description'> {
  /** The name of the operation. */
  readonly operation: string;
  /** Those of the field; `pageSize` and `pageToken` are its `first` and `after`. */
  readonly parameters: P;
  /** Of a POST: further arguments of the field, and how its body has them. */
  readonly body?: { readonly arguments: Arguments; readonly is: RouteBody<object> };
  /** Parameters that are checked, and that GraphQL does not have. */
  readonly ignored?: Arguments;
  /** The field that lists. */
  readonly field: string;
  /** The field of Query that has it, and which parameters are its own; absent for a field of Query. */
  readonly within?: { readonly field: string; readonly takes: readonly (keyof P & string)[] };
  /** What the 404 says is missing, for a field that may be null. */
  readonly missing?: (values: ArgumentValues<P>, texts: { readonly [Name in keyof P]?: string }) => string;
  /**
   * What the reply calls the rows, what descriptions call them, and the names of the schemas of one and of a
   * page.
   */
  readonly rows: Readonly<Record<'name' | 'words' | 'schema' | 'page', string>>;
  readonly schemas: JsonSchemas;
  /** What the reply shows of the rows, if that is another text. */
  readonly shown?: (rows: string) => string;
  /** Further members of the reply: their schemas, and their text, which begins with a comma. */
  readonly more?: { readonly members: JsonSchemas; readonly textOf: (values: ArgumentValues<P>) => string };
  readonly example: unknown;
}

export function defineListRoute<P extends Arguments>(list: ListRoute<P>): Route {
  const { path, summary, description, parameters, body, field, within, missing, rows, shown, more, example } =
    list;
  return defineRoute({
    method: body ? 'POST' : 'GET',
    path,
    summary,
    description,
    parameters: list.ignored ? { ...parameters, ...list.ignored } : parameters,
    ...(body && { body: body.is }),
    document: documentOf(list),
    reply: (data, values) => {
      const found = within ? data[within.field] : data;
      if (!found) return null;
      const listed = (found as Record<string, Listed>)[field]!;
      const given = shown ? { ...listed, json: shown(listed.json) } : listed;
      return listReply(rows.name, given, more?.textOf(values));
    },
    missing,
    response: {
      description: `A page of ${rows.words}.`,
      schema: ref(rows.page),
      components: { ...list.schemas, [rows.page]: page(rows.name, ref(rows.schema), more?.members) },
      example,
    },
  });
}

function documentOf<P extends Arguments>({ operation, parameters, body, field, within }: ListRoute<P>) {
  const all = Object.entries({ ...parameters, ...body?.arguments });
  const isOuter = ([name]: [string, unknown]) => within?.takes.includes(name) ?? false;
  const inner = `${field}${given(all.filter((each) => !isOuter(each)))} { json pageInfo { hasNextPage endCursor } }`;
  const selection = within ? `${within.field}${given(all.filter(isOuter))} { ${inner} }` : inner;
  const variables = all.map(([name, argument]) => `$${name}: ${typeOf(argument)}`).join(' ');
  return parse(`query ${operation}(${variables}) { ${selection} }`) as TypedDocumentNode<
    Record<string, unknown>
  >;
}

/** What the paging of REST is called in GraphQL. */
const names: Readonly<Record<string, string>> = { pageSize: 'first', pageToken: 'after' };

const given = (parameters: readonly [string, unknown][]) =>
  `(${parameters.map(([name]) => `${names[name] ?? name}: $${name}`).join(' ')})`;

function typeOf({ type, optional, default: fallback }: Argument<unknown>): string {
  const text = typeof type === 'string' ? type : `[${type[0]}!]`;
  return optional || fallback !== undefined ? text : `${text}!`;
}
