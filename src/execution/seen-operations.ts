import type { DocumentNode } from 'graphql';
import type { Services } from '../graphql/context.js';
import type { Documents } from '../graphql/documents.js';
import type { Admission } from '../graphql/limits/admission.js';
import { PreparedOperation } from './prepared.js';
import { StatementTexts } from './statement-texts.js';

/** Most operations of one document that are prepared; the plain executor runs the others. */
const MOST_OPERATIONS = 8;

interface SeenDocument {
  /** By name; null for those that the plain executor runs. */
  operations: Map<string, PreparedOperation | null>;
  texts: StatementTexts;
}

/** The prepared operations of the documents that are cached. */
export class SeenOperations {
  /** Collected with their documents, and counted in the memory of these. */
  private readonly seen = new WeakMap<DocumentNode, SeenDocument>();

  constructor(
    private readonly documents: Documents,
    private readonly admission: Admission,
    private readonly services: Pick<Services, 'tokens' | 'now'>,
  ) {}

  /** Null for an operation that the plain executor has to run, or to refuse. */
  find(query: string, name: string | undefined): PreparedOperation | null {
    const document = this.documents.find(query);
    if (!document) return null;
    const { operations, texts } = this.seenOf(document);
    const known = operations.get(name ?? '');
    if (known !== undefined) return known;
    if (operations.size >= MOST_OPERATIONS) return null;
    const measured = this.admission.operationOf(document, name);
    // Clients choose the names: only names of operations that exist are remembered.
    if (!measured) return null;
    const { tokens, now } = this.services;
    const made = PreparedOperation.of({ tokens, now, texts }, measured);
    operations.set(name ?? '', made);
    return made;
  }

  private seenOf(document: DocumentNode): SeenDocument {
    let seen = this.seen.get(document);
    if (!seen) {
      const texts = new StatementTexts('client', (bytes) => this.documents.makeRoom(document, bytes));
      this.seen.set(document, (seen = { operations: new Map(), texts }));
    }
    return seen;
  }
}
