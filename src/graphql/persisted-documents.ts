import type { Access } from '../access/access-control.js';
import { AppError, badInput, shown } from '../errors.js';
import { sha256Of, type LearntDocuments } from './learnt-documents.js';
import type { TrustedOperations } from './trusted-operations.js';

/** How a request names a document, in the forms that clients have. */
interface Named {
  query?: unknown;
  /** GraphQL over HTTP, "Persisted Documents". */
  documentId?: unknown;
  /** As networks of Relay send it. */
  doc_id?: unknown;
  extensions?: { persistedQuery?: unknown } | null;
}

/** Identifiers that say how they were made begin so. */
const SHA256_PREFIX = 'sha256:';

/**
 * Finds documents that requests name instead of sending them: those of the operator, and those that clients
 * sent before with their hash, as Apollo's protocol of automatic persisted queries has it.
 */
export class PersistedDocuments {
  constructor(
    private readonly trusted: TrustedOperations,
    private readonly learnt: LearntDocuments,
  ) {}

  /**
   * The text of the document that a request names.
   *
   * @returns undefined for a request that has a document, or names none
   * @throws AppError PERSISTED_QUERY_NOT_FOUND, upon which clients send the document; BAD_USER_INPUT for a
   *   name of another form, and for a hash that is not the document's
   */
  async textOf(parameters: unknown): Promise<string | undefined> {
    const given = (parameters ?? {}) as Named;
    const sha256 = hashIn(given);
    if (given.query) {
      this.insistOnHash(given.query, sha256);
      return undefined;
    }
    const id = sha256 ?? idIn(given);
    if (id === undefined) return undefined;
    const text = this.trusted.textOf(id) ?? (await this.learntText(id));
    if (text !== undefined) return text;
    throw new AppError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
  }

  /** Remembers the document of a request that has its hash too. One that was not admitted teaches nothing. */
  async learn(parameters: unknown, { charge }: Pick<Access, 'charge'>): Promise<void> {
    const given = (parameters ?? {}) as Named;
    const { query } = given;
    if (typeof query !== 'string' || query === '' || this.trusted.isClosed) return;
    const sha256 = hashIn(given);
    if (sha256 === undefined || this.learnt.knows(sha256, query)) return;
    if (charge.decision?.admitted === true) await this.learnt.learn(sha256, query);
  }

  /** @throws AppError BAD_USER_INPUT */
  private insistOnHash(query: unknown, sha256: string | undefined): void {
    if (sha256 === undefined || typeof query !== 'string') return;
    // A compiler may have given the document an id of another kind.
    if (this.learnt.knows(sha256, query) || this.trusted.textOf(sha256) === query) return;
    if (sha256Of(query) === sha256) return;
    throw badInput(`extensions.persistedQuery.sha256Hash: ${shown(sha256)} is not the SHA-256 of query`);
  }

  private async learntText(id: string): Promise<string | undefined> {
    if (this.trusted.isClosed) return undefined;
    return this.learnt.find(id.startsWith(SHA256_PREFIX) ? id.slice(SHA256_PREFIX.length) : id);
  }
}

/** The hash of a request of Apollo's protocol; undefined for any other. @throws AppError BAD_USER_INPUT */
function hashIn({ extensions }: Named): string | undefined {
  const { persistedQuery } = extensions ?? {};
  if (typeof persistedQuery !== 'object' || persistedQuery === null) return undefined;
  const { version, sha256Hash } = persistedQuery as { version?: unknown; sha256Hash?: unknown };
  if (version !== 1) throw badInput(`extensions.persistedQuery.version: ${shown(version)} is not 1`);
  if (typeof sha256Hash === 'string') return sha256Hash;
  throw badInput(`extensions.persistedQuery.sha256Hash: ${shown(sha256Hash)} is not a text`);
}

function idIn({ documentId, doc_id }: Named): string | undefined {
  const id = documentId ?? doc_id ?? undefined;
  if (id === undefined || typeof id === 'string') return id;
  throw badInput(`documentId: ${shown(id)} is not a text`);
}
