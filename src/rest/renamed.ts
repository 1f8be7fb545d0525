import { Kind, type DocumentNode } from 'graphql';

/** The document of an operation under another name: OpenAPI calls each path by that of its document. */
export const renamed = <Document extends DocumentNode>(document: Document, name: string): Document => ({
  ...document,
  definitions: document.definitions.map((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? { ...each, name: { kind: Kind.NAME, value: name } } : each,
  ),
});
