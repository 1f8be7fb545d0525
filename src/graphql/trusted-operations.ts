import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Access, KnownCaller } from '../access/access-control.js';
import { ConfigError } from '../config.js';
import { AppError, messageOf, quote, shorten } from '../errors.js';
import { validateBounded } from './limits/plugin.js';

/** Documents of the operator: never dropped from memory, and found by ids that a compiler gave them. */
export class TrustedOperations {
  private readonly texts: ReadonlySet<string>;

  /**
   * @param isClosed whether other documents are refused
   * @param byId texts by id
   * @param own texts of our own pages, which have no ids
   */
  constructor(
    readonly isClosed: boolean,
    private readonly byId: ReadonlyMap<string, string>,
    own: readonly string[],
  ) {
    this.texts = new Set([...byId.values(), ...own]);
  }

  /** Those that are cached from the start. */
  get documents(): readonly string[] {
    return [...this.texts];
  }

  textOf(id: string): string | undefined {
    return this.byId.get(id);
  }

  /** Whether a caller may send a document. */
  admits(query: string, { rights }: Pick<KnownCaller, 'rights'>): boolean {
    return !this.isClosed || this.texts.has(query) || rights.includes('documents');
  }
}

/** The refusal of a document that is not admitted. */
export function notTrusted(): AppError {
  return new AppError(
    'FORBIDDEN',
    'query: this gateway answers only the operations that its operator trusts, by their ids; REST is open',
  );
}

/** The same for people, instead of GraphiQL. */
export const closedPage = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'GraphiQL is closed: this gateway answers only the operations that its operator trusts. REST (/docs) and the explorer (/) are open',
  );

/** Refuses other documents, whatever way they came. */
export const trustedOnly = (
  trusted: TrustedOperations,
  toGraphQLError: (error: unknown) => Error,
): Plugin => ({
  onParams({ params, context }) {
    const query = (params as { query?: unknown } | null)?.query;
    const { access } = context as { access: Access };
    if (typeof query === 'string' && !trusted.admits(query, access.caller))
      throw toGraphQLError(notTrusted());
  },
});

/**
 * Reads the folder of TRUSTED_OPERATIONS: JSON files with texts by id, as the client preset of
 * graphql-codegen and Relay's compiler write them.
 *
 * @param folder undefined: any document is admitted
 * @param own reads the texts of our own pages
 * @throws ConfigError that names the file and the id of what cannot be used
 */
export function readTrustedOperations(
  folder: string | undefined,
  schema: GraphQLSchema,
  own: () => readonly string[],
): TrustedOperations {
  if (folder === undefined) return new TrustedOperations(false, new Map(), []);
  const byId = new Map<string, string>();
  for (const file of filesIn(folder))
    for (const [id, text] of Object.entries(documentsIn(folder, file))) {
      const problem = problemOf(text, schema, byId.get(id));
      if (problem) throw wrong(`${file}: ${quote(id)} ${shorten(problem, 300)}`);
      byId.set(id, text as string);
    }
  return new TrustedOperations(true, byId, own());
}

function filesIn(folder: string): string[] {
  const files = read(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
  if (files.length === 0) throw wrong(`${folder} has no file whose name ends with .json`);
  return files.sort();
}

function documentsIn(folder: string, file: string): Record<string, unknown> {
  const value = read(file, () => JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrong(`${file}: is not a JSON object of documents by id`);
}

/** What is wrong with a document; undefined for one that can be used. @param other of the same id */
function problemOf(text: unknown, schema: GraphQLSchema, other: string | undefined): string | undefined {
  if (typeof text !== 'string') return 'is not the text of a document';
  if (other !== undefined && other !== text) return 'has another text in another file';
  try {
    const [error] = validateBounded(schema, parse(text));
    return error && `does not fit the schema: ${error.message}`;
  } catch (error) {
    return `is not a GraphQL document: ${messageOf(error)}`;
  }
}

function read<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw wrong(`${what} cannot be read: ${messageOf(error)}`);
  }
}

const wrong = (problem: string) => new ConfigError(`TRUSTED_OPERATIONS: ${problem}`);
