import { getOperationAST, stripIgnoredCharacters } from 'graphql';
import type {
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { CacheFigures } from '../telemetry/cache-figures.js';
import type { Documents } from './documents.js';
import { fragmentsOf } from './limits/fragments.js';
import { rootFieldsOf } from './limits/root-fields.js';

/** Data as text; reading them as an object parses the text again. */
class WrittenData {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Answers to introspection: a process executes and prints the usual one about 100 times a second, and the
 * schema does not change while it runs. They are kept by the text of the document without comments, spaces
 * and commas, so that all texts that mean the same share an answer, whoever asked first. The least recently
 * used are dropped first.
 */
export class IntrospectionAnswers implements CacheFigures {
  hits = 0;
  misses = 0;
  bytes = 0;
  private readonly answers = new Map<string, WrittenData>();
  /** Null for operations that select anything else, or have variables. */
  private readonly keys = new WeakMap<OperationDefinitionNode, string | null>();

  /**
   * @param limit bytes
   * @param documents the cache in which the keys of its documents count
   */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limit: number,
    private readonly documents: Pick<Documents, 'makeRoom'>,
  ) {}

  get size(): number {
    return this.answers.size;
  }

  /** The answer of an operation that selects nothing but introspection, if it is kept. */
  find(document: DocumentNode, operation: OperationDefinitionNode): WrittenData | undefined {
    const key = this.keyOf(document, operation);
    const found = key === null ? undefined : this.answers.get(key);
    if (key === null || !found) return undefined;
    this.answers.delete(key);
    this.answers.set(key, found);
    return found;
  }

  /** Keeps an answer. @returns undefined for that of an operation which selects anything else */
  keep(document: DocumentNode, operation: OperationDefinitionNode, data: unknown): WrittenData | undefined {
    const key = this.keyOf(document, operation);
    if (key === null) return undefined;
    this.misses += 1;
    const written = new WrittenData(JSON.stringify(data));
    const bytes = bytesOf(key, written);
    if (this.answers.has(key) || bytes > this.limit) return written;
    this.answers.set(key, written);
    this.bytes += bytes;
    for (const [oldest, answer] of this.answers) {
      if (this.bytes <= this.limit) break;
      this.answers.delete(oldest);
      this.bytes -= bytesOf(oldest, answer);
    }
    return written;
  }

  private keyOf(document: DocumentNode, operation: OperationDefinitionNode): string | null {
    const known = this.keys.get(operation);
    if (known !== undefined) return known;
    const key = isIntrospection(this.schema, document, operation)
      ? `${operation.name?.value ?? ''}\n${stripIgnoredCharacters(document.loc?.source.body ?? '')}`
      : null;
    if (this.documents.makeRoom(document, 100 + 2 * (key?.length ?? 0))) this.keys.set(operation, key);
    return key;
  }
}

const bytesOf = (key: string, { text }: WrittenData) => 200 + 2 * (key.length + text.length);

/** Answers introspection that was seen before from memory. */
export function answerIntrospection(answers: IntrospectionAnswers): Plugin {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const { document, operationName } = args as ExecutionArgs;
      const operation = getOperationAST(document, operationName);
      if (!operation) return;
      const known = answers.find(document, operation);
      if (known) {
        answers.hits += 1;
        return setResultAndStopExecution({ data: known } as unknown as ExecutionResult);
      }
      return {
        onExecuteDone({ result, setResult }) {
          if (isAsyncIterable(result) || !result.data || result.errors) return;
          const written = answers.keep(document, operation, result.data);
          if (written) setResult({ ...result, data: written } as unknown as ExecutionResult);
        },
      };
    },
  };
}

/** The text of a result; data that are text already are not printed again. */
export function resultText(result: ExecutionResult): string {
  const data: unknown = result.data;
  if (!(data instanceof WrittenData)) return JSON.stringify(result);
  // JSON has no undefined.
  const more = JSON.stringify({ ...result, data: undefined }).slice(1);
  return `{"data":${data.text}${more === '}' ? '' : ','}${more}`;
}

/** Whether an operation selects nothing but introspection, and the same each time. */
function isIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  const root = schema.getRootType(operation.operation);
  if (!root || operation.variableDefinitions?.length) return false;
  const names = rootFieldsOf(schema, Object.fromEntries(fragmentsOf(document)), {}, root, operation);
  return names.every((name) => name.startsWith('__'));
}
