import { Kind, OperationTypeNode, type VariableDefinitionNode } from 'graphql';
import type { MeasuredOperation } from '../graphql/limits/measured.js';
import { presentMoment } from '../graphql/present.js';
import type { TokenCodec } from '../paging/token.js';
import type { BoundArguments } from './bound-arguments.js';
import type { OperationPlan } from './plan.js';
import { PlannedOperation, type Statements } from './planned.js';
import { planOperation } from './planner.js';
import type { StatementTexts } from './statement-texts.js';
import { Unsupported } from './unsupported.js';

/**
 * Most plans of one operation, by the values of the variables that directives use; and most sets of
 * statements of all these.
 */
const MOST_VARIANTS = 8;
/** Memory, bytes: of an operation without plans; of a plan for each list, row and field. Measured. */
const BYTES = { operation: 1500, value: 150, node: 6000, field: 1200 };

/** An operation with its variables, ready to run. */
export interface Ready {
  plan: OperationPlan;
  statements: Statements;
  bound: readonly BoundArguments[];
}

export interface PreparedOptions {
  tokens: TokenCodec;
  /** Present time, milliseconds since 1970. */
  now: () => number;
  /** The document's statement texts; what is remembered of the operation counts towards the same memory. */
  texts: StatementTexts;
}

/** An operation of a document that was seen before: what all of its requests share is calculated once. */
export class PreparedOperation {
  private readonly variants = new Map<string, PlannedOperation | null>();
  private statementsMade = 0;
  private readonly directing: readonly string[];

  private constructor(
    private readonly options: PreparedOptions,
    readonly measured: MeasuredOperation,
  ) {
    const { variableDefinitions = [] } = measured.operation;
    this.directing = variableDefinitions.filter(({ type }) => typeName(type) === 'Boolean').map(nameOf);
  }

  /** Null for what the plain executor has to run. */
  static of(options: PreparedOptions, measured: MeasuredOperation): PreparedOperation | null {
    if (measured.operation.operation !== OperationTypeNode.QUERY) return null;
    return options.texts.makeRoom(BYTES.operation) ? new PreparedOperation(options, measured) : null;
  }

  /** Whether the plain executor has to run it, whatever its variables. */
  get isPlain(): boolean {
    return this.directing.length === 0 && this.variants.get('') === null;
  }

  /** Whether it was planned for such variables, or cannot be. */
  isPlanned(variables: Record<string, unknown>): boolean {
    return this.variants.size >= MOST_VARIANTS || this.variants.has(valuesKey(this.directing, variables));
  }

  /** Undefined for what the plain executor has to run, or to refuse. @param variables coerced */
  ready(variables: Record<string, unknown>): Ready | undefined {
    const { tokens, now } = this.options;
    const variant = this.variant(variables);
    if (!variant) return undefined;
    try {
      const bound = variant.bind(variables, { tokens, present: presentMoment({ now }), trusted: null });
      const statements = variant.statements(bound, () => (this.statementsMade += 1) <= MOST_VARIANTS);
      return statements ? { plan: variant.plan, statements, bound } : undefined;
    } catch {
      return undefined;
    }
  }

  private variant(variables: Record<string, unknown>): PlannedOperation | null {
    const key = valuesKey(this.directing, variables);
    const known = this.variants.get(key);
    if (known !== undefined) return known;
    if (this.variants.size >= MOST_VARIANTS || !this.options.texts.makeRoom(BYTES.value + 2 * key.length))
      return null;
    const made = this.makeVariant(variables);
    this.variants.set(key, made);
    return made;
  }

  private makeVariant(variables: Record<string, unknown>): PlannedOperation | null {
    try {
      const { texts } = this.options;
      const { schema, fragments, operation } = this.measured;
      const plan = planOperation(schema, fragments, operation, variables);
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
