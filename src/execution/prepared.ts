import {
  OperationTypeNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  Kind,
} from 'graphql';
import type { Config } from '../config.js';
import { fragmentsOf } from '../graphql/limits/fragments.js';
import { calculateCost } from '../graphql/limits/cost.js';
import { presentMoment } from '../graphql/present.js';
import { countAliases, measureDepth } from '../graphql/limits/shape.js';
import { variableValues } from '../graphql/limits/variables.js';
import type { TokenCodec } from '../paging/token.js';
import type { BoundArguments } from './bound-arguments.js';
import type { OperationPlan } from './plan.js';
import { PlannedOperation, type Statements } from './planned.js';
import { planOperation } from './planner.js';
import type { StatementTexts } from './statement-texts.js';
import { Unsupported } from './unsupported.js';

/**
 * Most plans of one operation, by the values of the variables that directives use; and most sets of statements of all
 * these.
 */
const MOST_VARIANTS = 8;
/** Most costs that are remembered for one operation. */
const MOST_COSTS = 64;
/** Memory, bytes: of an operation without its plans; of a plan for each list or row and each field. Measured. */
const BYTES = { operation: 2000, value: 150, node: 6000, field: 1200 };

/** An operation with its variables, ready to run. */
export interface Ready {
  plan: OperationPlan;
  statements: Statements;
  bound: readonly BoundArguments[];
  cost: number;
}

export interface PreparedOptions {
  schema: GraphQLSchema;
  limits: Pick<Config, 'MAX_COST' | 'MAX_DEPTH' | 'MAX_ALIASES'>;
  tokens: TokenCodec;
  /** Present time, milliseconds since 1970. */
  now: () => number;
  /** The document's statement texts; what is remembered of the operation counts towards the same memory. */
  texts: StatementTexts;
}

/** An operation of a document that was seen before: what all of its requests share is calculated once. */
export class PreparedOperation {
  readonly fragments: Record<string, FragmentDefinitionNode>;
  private readonly costs = new Map<string, number>();
  private readonly variants = new Map<string, PlannedOperation | null>();
  private statementsMade = 0;
  private readonly weighing: readonly string[];
  private readonly directing: readonly string[];

  private constructor(
    private readonly options: PreparedOptions,
    private readonly document: DocumentNode,
    readonly operation: OperationDefinitionNode,
  ) {
    this.fragments = Object.fromEntries(fragmentsOf(document));
    const { variableDefinitions = [] } = operation;
    const named = (...types: string[]) =>
      variableDefinitions.filter(({ type }) => types.includes(typeName(type))).map(nameOf);
    this.weighing = named('Int', 'Boolean');
    this.directing = named('Boolean');
  }

  /**
   * Null for what the plain executor has to run, or to refuse.
   *
   * @param document validated
   */
  static of(
    options: PreparedOptions,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): PreparedOperation | null {
    const { MAX_ALIASES, MAX_DEPTH } = options.limits;
    if (operation.operation !== OperationTypeNode.QUERY) return null;
    if (countAliases(document) > MAX_ALIASES || measureDepth(document, operation) > MAX_DEPTH) return null;
    if (!options.texts.makeRoom(BYTES.operation)) return null;
    return new PreparedOperation(options, document, operation);
  }

  /** Undefined for what the plain executor has to run, or to refuse. */
  ready(given: Record<string, unknown> | undefined): Ready | undefined {
    const { schema, limits, tokens, now } = this.options;
    // If no variable decides it, the answer is known at once.
    if (this.directing.length === 0 && this.variants.get('') === null) return undefined;
    const coerced = variableValues(schema, this.operation, given);
    if (!coerced) return undefined;
    const cost = this.cost(coerced);
    if (cost > limits.MAX_COST) return undefined;
    const variant = this.variant(coerced);
    if (!variant) return undefined;
    try {
      const bound = variant.bind(coerced, { tokens, present: presentMoment({ now }), trusted: null });
      const statements = variant.statements(bound, () => (this.statementsMade += 1) <= MOST_VARIANTS);
      return statements ? { plan: variant.plan, statements, bound, cost } : undefined;
    } catch {
      return undefined;
    }
  }

  private cost(variables: Record<string, unknown>): number {
    const key = valuesKey(this.weighing, variables);
    const known = this.costs.get(key);
    if (known !== undefined) return known;
    const { data } = calculateCost(this.options.schema, this.document, this.operation, variables);
    if (this.costs.size < MOST_COSTS && this.makeRoomFor(key)) this.costs.set(key, data);
    return data;
  }

  private variant(variables: Record<string, unknown>): PlannedOperation | null {
    const key = valuesKey(this.directing, variables);
    const known = this.variants.get(key);
    if (known !== undefined) return known;
    if (this.variants.size >= MOST_VARIANTS || !this.makeRoomFor(key)) return null;
    const made = this.makeVariant(variables);
    this.variants.set(key, made);
    return made;
  }

  private makeRoomFor(key: string): boolean {
    return this.options.texts.makeRoom(BYTES.value + 2 * key.length);
  }

  private makeVariant(variables: Record<string, unknown>): PlannedOperation | null {
    try {
      const { schema, texts } = this.options;
      const plan = planOperation(schema, this.fragments, this.operation, variables);
      const bytes = BYTES.node * plan.nodes.length + BYTES.field * plan.fields;
      return texts.makeRoom(bytes) ? new PlannedOperation(plan, texts) : null;
    } catch (error) {
      if (error instanceof Unsupported) return null;
      throw error;
    }
  }
}

function valuesKey(names: readonly string[], values: Record<string, unknown>): string {
  return names.length === 0 ? '' : JSON.stringify(names.map((name) => values[name] ?? null));
}

function nameOf({ variable }: VariableDefinitionNode): string {
  return variable.name.value;
}

function typeName(type: VariableDefinitionNode['type']): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : typeName(type.type);
}
