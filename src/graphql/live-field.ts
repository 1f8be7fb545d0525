import type { FieldMap } from '@pothos/core';
import type { Arguments, ArgumentValues } from '../arguments/argument.js';
import { checkBoth } from '../errors.js';
import { readCursor, type Cursor } from '../live/cursor.js';
import { openEvents, type LiveEvent } from '../live/events.js';
import type { LiveList } from '../live/live-list.js';
import { argumentRefs, argumentsOf } from './arguments.js';
import type { Builder, SchemaTypes } from './builder.js';
import type { Context } from './context.js';
import type { FieldBuilder } from './add-field.js';

type Objects = SchemaTypes['Objects'];

/** A field of the subscription: a stream of nodes. */
export interface LiveField<Type extends keyof Objects, Declared extends Arguments, Query extends object> {
  /** The type of the nodes. */
  type: Type;
  description: string;
  /** What one event is, for the description of its type. */
  event: string;
  arguments: Declared;
  list: LiveList<Query, Objects[Type]>;
  /** Makes the query from the values of the arguments, if they are not the query already. */
  toQuery?: (values: ArgumentValues<Declared>, context: Context) => Promise<Query>;
  /** Fields of the event in addition to the cursor and the node. */
  moreFields?: (t: FieldBuilder<LiveEvent<Objects[Type]>>) => FieldMap;
}

const AFTER =
  'Cursor of the last event that was received, of this or another stream: events after it come first, then new ones. If it is older than 24 hours, or events after it are no longer kept for another reason, the error EVENTS_LOST says so. If omitted, what is committed from now on.';
const INCLUDE_BACKFILL =
  'Whether there are also events of blocks that a follower stores backward, before the first block that it began with.';
const CURSOR =
  'Position of the event in all events of this gateway, for `after`; valid for at least 24 hours unless more than 256 MiB of events follow it. An event may be sent again after a break: it then has the same cursor.';

/** Adds a stream to the subscription. */
export function addLiveField<Type extends keyof Objects, Declared extends Arguments, Query extends object>(
  builder: Builder,
  name: string,
  field: LiveField<Type, Declared, Query>,
): void {
  const { type, arguments: declared, moreFields } = field;
  const event = builder.objectRef<LiveEvent<Objects[Type]>>(`${type}Event`).implement({
    description: field.event,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: CURSOR }),
      node: t.field({
        type: type as 'Utxo',
        description: 'The node as it is now, which may be later than the event.',
        resolve: ({ node }) => node as unknown as Objects['Utxo'],
      }),
      ...moreFields?.(t as unknown as FieldBuilder<LiveEvent<Objects[Type]>>),
    }),
  });
  builder.subscriptionField(name, (t) =>
    t.field({
      type: event,
      description: field.description,
      args: {
        ...argumentRefs(t, declared),
        after: t.arg.string({ description: AFTER }),
        includeBackfill: t.arg.boolean({
          description: INCLUDE_BACKFILL,
          required: true,
          defaultValue: false,
        }),
      },
      subscribe: (_root, args, context) => open(context, field, args),
      resolve: (each) => each,
    }),
  );
}

async function open<Type extends keyof Objects, Declared extends Arguments, Query extends object>(
  context: Context,
  { list, arguments: declared, toQuery }: LiveField<Type, Declared, Query>,
  args: { after?: string | null | undefined; includeBackfill: boolean },
): Promise<AsyncIterableIterator<LiveEvent<Objects[Type]>>> {
  const { live, charge, time } = context;
  if (!live) throw new Error('there are no streams here');
  const [values, after] = checkBoth(
    () => argumentsOf(declared, args, context),
    (): Cursor | null => (args.after ? readCursor('after', args.after) : null),
  );
  // Without it the values are the query.
  const query = toQuery ? await toQuery(values, context) : (values as unknown as Query);
  const { includeBackfill } = args;
  return openEvents(live, list, charge, { query, after, includeBackfill, beginMs: time.left });
}
