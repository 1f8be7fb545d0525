import {
  GraphQLNonNull,
  isNonNullType,
  Kind,
  parseType,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import type { Documents } from '../graphql/documents.js';
import { parseBounded } from '../graphql/limits/tokens.js';
import { validateBounded } from '../graphql/limits/plugin.js';
import { literalsOf } from './literals.js';

/** Most shapes that are remembered, and most bytes of them. */
const [MOST_SHAPES, MOST_BYTES] = [1024, 2 * 1024 * 1024];
/** Most tokens of a document that is answered by its shape: a longer one costs more than one request when it is new. */
const MOST_TOKENS = 250;
const PREFIX = 'literal_';

/** An operation whose literals are variables. */
export interface SameOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What is known of a shape: it was seen once, it cannot have variables for its literals, or the document that has them. */
type Shape = 'once' | 'none' | { readonly query: string };

/**
 * Texts that differ in literals alone are one operation. Clients that write ids into their texts send each text once: from the second
 * text of a shape on, its literals are the variables of one document, which has its plan like any other.
 */
export class LiteralShapes implements CacheFigures {
  hits = 0;
  misses = 0;
  bytes = 0;
  /** The least recently used first. */
  private readonly shapes = new Map<string, Shape>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly documents: Documents,
  ) {}

  get size(): number {
    return this.shapes.size;
  }

  /**
   * The same operation as that of a text which was not seen before.
   *
   * @param given variables of the request
   */
  find(text: string, given: Readonly<Record<string, unknown>> | undefined): SameOperation | null {
    const literals = literalsOf(text);
    if (!literals) return null;
    const { shape, values } = literals;
    const known = this.use(shape);
    if (known === undefined) this.misses += 1;
    if (known === undefined) return this.keep(shape, 'once');
    this.hits += 1;
    if (known === 'none') return null;
    const query = known === 'once' ? this.written(text, values.length) : known.query;
    if (query === null || !this.isValid(query)) return this.keep(shape, 'none');
    if (known === 'once') this.keep(shape, { query });
    const own = values.map((value, place) => [PREFIX + String(place), value] as const);
    return { query, variables: { ...given, ...Object.fromEntries(own) } };
  }

  private use(shape: string): Shape | undefined {
    const known = this.shapes.get(shape);
    if (known === undefined) return undefined;
    this.shapes.delete(shape);
    this.shapes.set(shape, known);
    return known;
  }

  private keep(shape: string, known: Shape): null {
    this.forget(shape);
    this.shapes.set(shape, known);
    this.bytes += bytesOf(shape, known);
    for (const oldest of this.shapes.keys()) {
      if (this.shapes.size <= MOST_SHAPES && this.bytes <= MOST_BYTES) break;
      this.forget(oldest);
    }
    return null;
  }

  private forget(shape: string): void {
    const known = this.shapes.get(shape);
    if (known === undefined) return;
    this.shapes.delete(shape);
    this.bytes -= bytesOf(shape, known);
  }

  /** Whether a document of ours is valid; then it is cached. It may have been dropped. */
  private isValid(query: string): boolean {
    if (this.documents.find(query)) return true;
    const document = parsed(query, Infinity);
    if (!document || validateBounded(this.schema, document).length > 0) return false;
    this.documents.remember(query, document);
    return true;
  }

  /** The text with variables in place of its literals; null where one of them cannot be one. */
  private written(text: string, count: number): string | null {
    const document = parsed(text, MOST_TOKENS);
    const operations = document?.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION) ?? [];
    if (!document || operations.length !== 1 || text.includes(PREFIX)) return null;
    const definitions: VariableDefinitionNode[] = [];
    const types = new TypeInfo(this.schema);
    const replaced = visit(
      document,
      visitWithTypeInfo(types, {
        // What a directive or a default value says stays in the text, and then the literals of the text are not all taken out.
        Directive: () => false,
        VariableDefinition: () => false,
        Argument: (node) => (isPageSize(node.name.value, node.value) ? false : undefined),
        StringValue: () => variableOf(types, definitions),
        IntValue: () => variableOf(types, definitions),
      }),
    );
    if (definitions.length !== count) return null;
    const withVariables = visit(replaced, {
      OperationDefinition: (node): OperationDefinitionNode => ({
        ...node,
        variableDefinitions: [...(node.variableDefinitions ?? []), ...definitions],
      }),
    });
    return print(withVariables);
  }
}

const isPageSize = (name: string, { kind }: ValueNode) =>
  kind === Kind.INT && (name === 'first' || name === 'last');

/** A variable of the type that is expected where a literal stands; the literal itself where none is. */
function variableOf(types: TypeInfo, definitions: VariableDefinitionNode[]): ValueNode | undefined {
  const type = types.getInputType();
  if (!type) return undefined;
  const name = { kind: Kind.NAME as const, value: PREFIX + String(definitions.length) };
  const variable = { kind: Kind.VARIABLE as const, name };
  definitions.push({
    kind: Kind.VARIABLE_DEFINITION,
    variable,
    type: parseType(String(isNonNullType(type) ? type : new GraphQLNonNull(type))),
  });
  return variable;
}

function parsed(text: string, maxTokens: number): DocumentNode | null {
  try {
    return parseBounded(text, maxTokens, undefined);
  } catch {
    return null;
  }
}

const bytesOf = (shape: string, known: Shape) =>
  200 + 2 * shape.length + (typeof known === 'string' ? 0 : 2 * known.query.length);
