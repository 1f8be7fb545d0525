/** A question of users of the graph, and the document that answers it. */
export interface Recipe {
  question: string;
  /** What to know of the answer, as Markdown. */
  text: string;
  /** A query with a name and variables. */
  document: string;
  /** Of the generated sample. */
  variables: Record<string, unknown>;
}
