import { Command, InvalidArgumentError } from 'commander';
import { loadConfig, pastPooler } from '../config.js';
import { printable } from '../errors.js';
import type { Queue } from '../jobs/queue.js';
import type { OperatedWebhook, SetAsideEvent } from '../resources/webhook/operating.js';
import { unlessAborted, type Stop } from '../stop.js';
import type { Database } from '../storage/prisma.js';
import { commandLog, examples, tableText } from './terminal.js';

/** `moraine hooks`: the webhooks of this installation. Works while the gateway serves. */
export function hooksCommand(stop: Stop): Command {
  const hooks = new Command('hooks')
    .summary('list, pause, resume and replay webhooks')
    .description(
      'List, pause, resume and replay webhooks. Clients make them with their API keys; a gateway, or moraine worker, sends their ' +
        'events in order. An event that is not taken is sent again after pauses that grow to two hours; after a day it is set ' +
        'aside, and the next one is sent. Set-aside events are kept for 7 days.',
    )
    .addHelpText(
      'after',
      examples([
        'moraine hooks list',
        'moraine hooks events 0b7e2f6a-5d3c-4c1e-9a52-6f0d1e8c4b11',
        'moraine hooks pause 0b7e2f6a-5d3c-4c1e-9a52-6f0d1e8c4b11',
        'moraine hooks replay 0b7e2f6a-5d3c-4c1e-9a52-6f0d1e8c4b11',
      ]),
    );
  hooks
    .command('list')
    .summary('list all webhooks')
    .description(
      'List all webhooks, oldest first: whose they are, how many events wait and were set aside, how often the next one failed and why.',
    )
    .action(() => withWebhooks(stop, async ({ list }) => process.stdout.write(tableOf(await list()))));
  addOfOne(hooks, stop);
  return hooks;
}

/** Adds the commands about one webhook. */
function addOfOne(hooks: Command, stop: Stop): void {
  /** @param work what it prints; null: there is no such webhook */
  const add = (
    name: string,
    summary: string,
    description: string,
    work: (webhooks: Work, id: string) => Promise<string | null>,
  ) =>
    hooks
      .command(name)
      .summary(summary)
      .description(description)
      .argument('<id>', 'id of the webhook, as the list shows it', readId)
      .action((id: string) =>
        withWebhooks(stop, async (webhooks) => {
          const said = await work(webhooks, id);
          if (said === null) return noWebhook(id);
          process.stdout.write(said);
        }),
      );
  add(
    'events',
    'list the events that were set aside',
    'List the events of a webhook that were set aside because they were not taken within a day.',
    async ({ setAside }, id) => {
      const events = await setAside(id);
      return events && tableOfEvents(events);
    },
  );
  add(
    'pause',
    'let the events of a webhook wait',
    'Let the events of a webhook wait until it is resumed. With 10,000 it falls behind, and after 24 hours events are missed.',
    async ({ pause }, id) => ((await pause(id, true)) ? `Webhook ${id} is paused; its events wait\n` : null),
  );
  add(
    'resume',
    'send the events of a paused webhook',
    'Send the events of a paused webhook again, those that wait first.',
    async ({ pause }, id) => ((await pause(id, false)) ? `Webhook ${id} is resumed\n` : null),
  );
  add(
    'replay',
    'send the events that were set aside',
    'Send the events of a webhook that were set aside once more, before those that wait, for a day from now.',
    async ({ replay }, id) => {
      const count = await replay(id);
      return count === null ? null : `${count} ${count === 1 ? 'event is' : 'events are'} sent again\n`;
    },
  );
}

interface Work {
  list: () => Promise<OperatedWebhook[]>;
  setAside: (id: string) => Promise<SetAsideEvent[] | null>;
  pause: (id: string, isPaused: boolean) => Promise<boolean>;
  replay: (id: string) => Promise<number | null>;
}

async function withWebhooks(stop: Stop, work: (webhooks: Work) => Promise<unknown>): Promise<void> {
  // Imported here, so that --help loads neither Prisma nor the settings.
  const [{ openMigrated }, { openQueue }, { webhookQueue }, operating] = await Promise.all([
    import('../open-database.js'),
    import('../jobs/queue.js'),
    import('../resources/webhook/queue.js'),
    import('../resources/webhook/operating.js'),
  ]);
  const config = pastPooler(loadConfig());
  const log = commandLog(config);
  const storage = await openMigrated(config, log, stop);
  try {
    const { prisma } = storage;
    const withQueue = async <T>(change: (prisma: Database, enqueue: Queue['enqueue']) => Promise<T>) => {
      const queue = await openQueue(storage, log, webhookQueue);
      try {
        return await change(prisma, queue.enqueue);
      } finally {
        await queue.stop();
      }
    };
    const done = work({
      list: () => operating.listWebhooks(prisma),
      setAside: (id) => operating.listSetAside(prisma, id),
      pause: (id, isPaused) =>
        withQueue((database, enqueue) => operating.setPaused(database, enqueue, id, isPaused)),
      replay: (id) => withQueue((database, enqueue) => operating.replay(database, enqueue, id)),
    });
    await unlessAborted(stop.asked, done);
  } finally {
    await storage.close();
  }
}

function tableOfEvents(events: readonly SetAsideEvent[]): string {
  if (events.length === 0) return 'No events were set aside\n';
  return tableText([
    ['event', 'made', 'set aside', 'because'],
    ...events.map(({ id, madeAt, setAsideAt, reason }) => [
      id,
      madeAt.toISOString(),
      setAsideAt.toISOString(),
      printable(reason ?? ''),
    ]),
  ]);
}

function tableOf(webhooks: readonly OperatedWebhook[]): string {
  if (webhooks.length === 0) return 'There are no webhooks yet; clients make them by POST /v1/webhooks\n';
  return tableText([
    ['id', 'key', 'about', 'chain', 'state', 'waiting', 'set aside', 'failures', 'url', 'because'],
    ...webhooks.map((each) => [
      each.id,
      `${each.keyId} ${printable(each.keyName)}`,
      each.eventType,
      `${each.network} ${each.chain}`,
      stateOf(each),
      String(each.queued),
      String(each.setAside),
      String(each.failures),
      printable(each.url),
      printable(each.reason ?? ''),
    ]),
  ]);
}

function stateOf({ isActive, isPaused, missedAt }: OperatedWebhook): string {
  const state = isActive ? (isPaused ? 'paused' : 'active') : 'inactive';
  return missedAt ? `${state}, missed events at ${missedAt.toISOString()}` : state;
}

function noWebhook(id: string): void {
  process.stderr.write(`moraine: there is no webhook ${id}; see moraine hooks list\n`);
  process.exitCode = 1;
}

function readId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID; see moraine hooks list.');
}
