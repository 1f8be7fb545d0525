import { createHash } from 'node:crypto';
import { createSourceEventStream, execute, getOperationAST, Kind, visit } from 'graphql';
import type {
  ASTNode,
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  GraphQLError,
  OperationDefinitionNode,
} from 'graphql';
import { RequestTime } from '../access/request-time.js';
import { inTime } from '../failure.js';
import type { LiveEvent } from '../live/events.js';
import { Abandon } from '../storage/abandon.js';
import type { Context } from './context.js';
import { refuseLarge } from './reply-size.js';

/** An event of a subscription as it is sent: the text of its result. */
export interface EventText {
  readonly text: string;
}

type Event = LiveEvent<unknown>;

/** Makes an error one that clients may see. */
export type ShowError = (error: unknown) => GraphQLError;

/**
 * Runs a subscription that was admitted: a stream of texts, or the errors with which it could not begin. Each
 * event is executed with loaders of its own, and once for all streams that select the same.
 */
export async function subscribeTexts(
  args: ExecutionArgs,
  show: ShowError,
): Promise<AsyncIterableIterator<EventText> | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events = source as AsyncIterableIterator<Event>;
  const context = args.contextValue as Context;
  // A client that left while the stream began.
  const leave = () => void events.return?.();
  context.abandon.onAbort(leave);
  if (context.abandon.why()) leave();
  const selection = selectionOf(args);
  const texts: AsyncIterableIterator<EventText> = {
    [Symbol.asyncIterator]: () => texts,
    async next() {
      const { done, value } = (await events.next()) as IteratorResult<Event, undefined>;
      return done
        ? { done, value: undefined }
        : { value: { text: await textOf(args, selection, value, show) } };
    },
    async return() {
      context.abandon.forget(leave);
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
  return texts;
}

/** The text of an event, shared by those who select the same of it. */
function textOf(args: ExecutionArgs, selection: string, event: Event, show: ShowError): Promise<string> {
  const make = () =>
    run(args, event).then(({ data, errors }) => JSON.stringify({ data, errors: errors?.map(shown) }));
  const shown = (error: GraphQLError) => {
    const { extensions, ...rest } = show(error).toJSON();
    return { ...rest, extensions: { ...extensions, http: undefined } };
  };
  const { stream, index, entry } = event;
  const { texts } = entry;
  const key = `${index} ${selection}`;
  const known = () => texts.known(key);
  return texts.whileWaiting(key, () => stream.turns.once(stream, known, () => texts.get(key, make)));
}

function run(args: ExecutionArgs, rootValue: Event): Promise<ExecutionResult> {
  const context = args.contextValue as Context;
  const { live, config } = context;
  if (!live) throw new Error('there are no streams here');
  // It belongs to no client, because others share it: a client that leaves does not end it.
  const abandon = new Abandon();
  const time = new RequestTime(config.REQUEST_TIMEOUT_MS);
  const storage = live.feed.reader(abandon);
  const contextValue: Context = { ...context, storage, abandon, time };
  const work = async () => refuseLarge(await execute({ ...args, rootValue, contextValue }));
  return inTime(work(), time, abandon);
}

/**
 * A text that two subscriptions share only if their events have the same text: the document, and the
 * variables that its selections use. Those of the field itself select which events there are.
 */
function selectionOf({ document, operationName, variableValues }: ExecutionArgs): string {
  const operation = getOperationAST(document, operationName);
  const used = operation ? usedBelow(document, operation) : new Set<string>();
  const values = [...used].sort().map((name) => [name, variableValues?.[name]]);
  const source = document.loc?.source.body ?? '';
  return createHash('sha256')
    .update(JSON.stringify([source, operation?.name?.value, values]))
    .digest('base64');
}

/** Names of the variables that a document uses other than as arguments of the operation's own fields. */
function usedBelow({ definitions }: DocumentNode, { selectionSet }: OperationDefinitionNode): Set<string> {
  const below = selectionSet.selections.flatMap((each): readonly ASTNode[] => {
    const within = each.kind === Kind.FIELD && each.selectionSet ? [each.selectionSet] : [];
    return [...within, ...(each.directives ?? [])];
  });
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const inline = selectionSet.selections.filter(({ kind }) => kind === Kind.INLINE_FRAGMENT);
  const used = new Set<string>();
  for (const node of [...below, ...inline, ...fragments])
    visit(node, { Variable: ({ name }) => void used.add(name.value) });
  return used;
}
