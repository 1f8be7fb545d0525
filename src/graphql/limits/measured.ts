import { getOperationAST, getVariableValues } from 'graphql';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { calculateCost, type Cost } from './cost.js';
import { fragmentsOf } from './fragments.js';
import { rootFieldsOf } from './root-fields.js';
import { countAliases, measureDepth, type Shape } from './shape.js';

/** Most measures that are remembered for one operation. */
const MOST_MEASURES = 64;
/** Memory, bytes: of an operation, and of a measure without its key. */
const BYTES = { operation: 500, measured: 250 };

/** What the variables of an operation decide. */
export interface Measured {
  cost: Cost;
  /** Names of the root fields, one for each key of the result. */
  rootFields: readonly string[];
}

/** An operation of a validated document. Its figures are calculated when they are first needed. */
export class MeasuredOperation {
  private readonly measures = new Map<string, Measured>();
  private shapeOf: Shape | undefined;

  /** @param makeRoom see MeasuredDocument */
  constructor(
    readonly schema: GraphQLSchema,
    readonly document: DocumentNode,
    readonly operation: OperationDefinitionNode,
    readonly fragments: Record<string, FragmentDefinitionNode>,
    private readonly makeRoom: (bytes: number) => boolean,
  ) {}

  /** Undefined if the schema has no operations of this kind, which execution reports. */
  get root(): GraphQLObjectType | undefined {
    return this.schema.getRootType(this.operation.operation) ?? undefined;
  }

  get shape(): Shape {
    return (this.shapeOf ??= {
      aliases: countAliases(this.document),
      depth: measureDepth(this.document, this.operation),
    });
  }

  /**
   * The values of its variables; undefined when they do not fit their types, which execution reports.
   * Checking stops at the first wrong one: a list of ten thousand wrong ones would be as many errors.
   */
  variables(
    given: Readonly<Record<string, unknown>> | null | undefined,
  ): Record<string, unknown> | undefined {
    const { variableDefinitions = [] } = this.operation;
    return getVariableValues(this.schema, variableDefinitions, given ?? {}, { maxErrors: 1 }).coerced;
  }

  /** @param variables coerced */
  measure(variables: Record<string, unknown>): Measured {
    const key = this.weightsOf(variables);
    const known = this.measures.get(key);
    if (known) return known;
    const { schema, document, operation, fragments, root } = this;
    const cost = calculateCost(schema, document, operation, variables);
    const rootFields = root ? rootFieldsOf(schema, fragments, variables, root, operation) : [];
    const made = { cost, rootFields };
    const bytes = BYTES.measured + 8 * rootFields.length + 2 * key.length;
    if (this.measures.size < MOST_MEASURES && this.makeRoom(bytes)) this.measures.set(key, made);
    return made;
  }

  private weightsOf(variables: Record<string, unknown>): string {
    const { variableDefinitions = [] } = this.operation;
    return variableDefinitions.length === 0
      ? ''
      : JSON.stringify(variableDefinitions.map(({ variable }) => weightOf(variables[variable.name.value])));
  }
}

/** The operations of a validated document. */
export class MeasuredDocument {
  private readonly fragments: Record<string, FragmentDefinitionNode>;
  private readonly operations = new Map<string, MeasuredOperation>();

  /** @param makeRoom whether so many bytes more may be remembered of the document; then they are counted */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
    private readonly makeRoom: (bytes: number) => boolean,
  ) {
    this.fragments = Object.fromEntries(fragmentsOf(document));
  }

  /** Undefined if there is none of that name, which execution reports. */
  operation(name: string | null | undefined): MeasuredOperation | undefined {
    const known = this.operations.get(name ?? '');
    if (known) return known;
    const operation = getOperationAST(this.document, name);
    // Clients choose the names: only names of operations that exist are remembered.
    if (!operation) return undefined;
    const { schema, document, fragments, makeRoom } = this;
    const made = new MeasuredOperation(schema, document, operation, fragments, makeRoom);
    if (makeRoom(BYTES.operation)) this.operations.set(name ?? '', made);
    return made;
  }
}

/**
 * What of a variable can change a measure: a number, a truth, the length of a list, and whether it has a
 * value, because the arguments of a field cannot be read without one that is required.
 */
function weightOf(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' || typeof value === 'boolean' ? value : '';
}
