import { Kind, parse, type DocumentNode } from 'graphql';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Argument, Arguments, ArgumentValues } from '../arguments/argument.js';
import type { AppError } from '../errors.js';
import type { RouteBody } from './body.js';
import { ref, type JsonSchemas } from '../fields/json-schema.js';
import { listReply, page } from './reply.js';
import { defineRoute, type DataOf, type Route } from './route.js';

interface Listed<Node> {
  readonly json: string;
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** A list of GraphQL as a route: its page is the reply, its arguments are the parameters. */
interface ListRoute<P extends Arguments, Node, Also> extends Pick<
  Route,
  'path' | 'summary' | 'description' | 'unsupported' | 'refusals'
> {
  /** The name of the operation. */
  readonly operation: string;
  /** Those of the field; `pageSize` and `pageToken` are its `first` and `after`. */
  readonly parameters: P;
  /** Of a POST: further arguments of the field, and how its body has them. */
  readonly body?: { readonly arguments: Arguments; readonly is: RouteBody<object> };
  /**
   * If the arguments of the field are not the parameters: which of these its document passes in addition to
   * the paging, and the values of its arguments by name.
   */
  readonly given?: {
    readonly passed: readonly (keyof P & string)[];
    readonly values: (values: ArgumentValues<P>) => Readonly<Record<string, unknown>>;
  };
  /** The field that lists. */
  readonly field: string;
  /** The field of Query that has it, and which parameters are its own; absent for a field of Query. */
  readonly within?: { readonly field: string; readonly takes: readonly (keyof P & string)[] };
  /** What else is selected of that field, or of Query. */
  readonly also?: {
    readonly fragment: TypedDocumentNode<Also, never>;
    /** Why there is no such list; null where there is one. */
    readonly absence?: (also: Also, values: ArgumentValues<P>, length: number) => 'missing' | AppError | null;
  };
  /** Of rows that REST has in another form than GraphQL: what is selected, and the text of the list. */
  readonly nodes?: {
    readonly fragment: TypedDocumentNode<Node, never>;
    /** Some rows have no need of all of it: what is selected of these instead. */
    readonly less?: {
      readonly fragment: TypedDocumentNode<Partial<Node>, never>;
      readonly isFor: (values: ArgumentValues<P>) => boolean;
    };
    readonly textOf: (nodes: readonly Node[], values: ArgumentValues<P>, also: Also) => string;
  };
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
  readonly more?: {
    readonly members: JsonSchemas;
    readonly textOf: (values: ArgumentValues<P>, also: Also) => string;
  };
  readonly dataOf?: (values: ArgumentValues<P>) => DataOf;
  /** Of a list whose rows never change: when the newest of them may be from, Unix seconds. */
  readonly settledAt?: (values: ArgumentValues<P>) => number | undefined;
  readonly example: unknown;
}

export function defineListRoute<P extends Arguments, Node = never, Also = unknown>(
  list: ListRoute<P, Node, Also>,
): Route {
  const {
    path,
    summary,
    description,
    unsupported,
    refusals,
    parameters,
    body,
    missing,
    dataOf,
    settledAt,
    example,
  } = list;
  const { field, nodes, within, also, given, rows, shown, more } = list;
  return defineRoute({
    method: body ? 'POST' : 'GET',
    path,
    summary,
    description,
    parameters,
    unsupported,
    ...(body && { body: body.is }),
    document: documentOf(list),
    other: nodes?.less && { document: documentOf({ ...list, nodes: nodes.less }), isFor: nodes.less.isFor },
    values: given?.values,
    reply: (data, values) => {
      const found = within ? data[within.field] : data;
      if (!found) return null;
      const { pageInfo, ...listed } = (found as Record<string, Listed<Node>>)[field]!;
      const length = nodes ? listed.nodes.length : 0;
      const absence = also?.absence?.(found as Also, values, length) ?? null;
      if (absence === 'missing') return null;
      if (absence !== null) throw absence;
      const text = nodes ? nodes.textOf(listed.nodes, values, found as Also) : listed.json;
      const members = more?.textOf(values, found as Also);
      return listReply(rows.name, { json: shown?.(text) ?? text, pageInfo }, members);
    },
    missing,
    dataOf,
    settledAt: settledAt && ((_data, values) => settledAt(values)),
    response: {
      description: `A page of ${rows.words}.`,
      schema: ref(rows.page),
      components: { ...list.schemas, [rows.page]: page(rows.name, ref(rows.schema), more?.members) },
      example,
    },
    refusals,
  });
}

/** What of a route its document is made of. */
interface Selection {
  readonly operation: string;
  readonly parameters: Arguments;
  readonly body?: { readonly arguments: Arguments };
  readonly given?: { readonly passed: readonly string[] };
  readonly field: string;
  readonly within?: { readonly field: string; readonly takes: readonly string[] };
  readonly also?: { readonly fragment: DocumentNode };
  readonly nodes?: { readonly fragment: DocumentNode };
}

function documentOf({ operation, parameters, body, given, field, nodes, within, also }: Selection) {
  const isPassed = ([name]: [string, unknown]) => given?.passed.includes(name) ?? true;
  const all = Object.entries({ ...parameters, ...body?.arguments }).filter(
    (each) => isPassed(each) || each[0] in names,
  );
  const isOuter = ([name]: [string, unknown]) => within?.takes.includes(name) ?? false;
  const rows = nodes ? `nodes { ${spread(nodes.fragment)} }` : 'json';
  const inner = `${field}${passed(all.filter((each) => !isOuter(each)))} { ${rows} pageInfo { hasNextPage endCursor } }`;
  const selected = also ? `${spread(also.fragment)} ${inner}` : inner;
  const selection = within ? `${within.field}${passed(all.filter(isOuter))} { ${selected} }` : selected;
  const variables = all.map(([name, argument]) => `$${name}: ${typeOf(argument)}`).join(' ');
  const document = parse(`query ${operation}(${variables}) { ${selection} }`);
  const fragments = [nodes, also].flatMap((each) => each?.fragment.definitions ?? []);
  return { ...document, definitions: [...document.definitions, ...fragments] } as TypedDocumentNode<
    Record<string, unknown>
  >;
}

/** Selects a fragment, which is the first one of its document. */
function spread({ definitions: [first] }: DocumentNode): string {
  if (first?.kind === Kind.FRAGMENT_DEFINITION) return `...${first.name.value}`;
  throw new Error('a fragment was expected');
}

/** What the paging of REST is called in GraphQL. */
const names: Readonly<Record<string, string>> = { pageSize: 'first', pageToken: 'after' };

const passed = (parameters: readonly [string, unknown][]) =>
  `(${parameters.map(([name]) => `${names[name] ?? name}: $${name}`).join(' ')})`;

function typeOf({ type, optional, default: fallback }: Argument<unknown>): string {
  const text = typeof type === 'string' ? type : `[${type[0]}!]`;
  return optional || fallback !== undefined ? text : `${text}!`;
}
