import type { Arguments, ArgumentValues } from '../../arguments/argument.js';
import { identityOf, parseBlockchainId } from '../../avalanche/identity.js';
import { AppError, badInput, messageOf } from '../../errors.js';
import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import type { Context } from '../../graphql/context.js';
import { addressesArguments, createArguments, updateArguments } from './arguments.js';
import type { WebhookNode } from './fields.js';
import { levelsOf } from './levels.js';
import { findWebhooks } from './list.js';
import { newWebhook } from './new-webhook.js';
import { addAddresses, createWebhook, noWebhook, removeAddresses, updateWebhook } from './store.js';

/** Registers the mutations that change webhooks. */
export function registerWebhookChanges(builder: Builder): void {
  addChange(builder, 'createWebhook', createArguments, {
    description:
      'Makes a webhook, which gets the events of what is committed from now on. Its key has at most MAX_WEBHOOKS that are active; where it has as many in all, the oldest that are inactive make room.',
    async change(context, keyId, values) {
      const given = newWebhook(values);
      await checkUrl(context, given.url);
      await context.webhooks.secrets.ensure(keyId);
      const levels = await levelsOf(context.storage, given, given.keys);
      return createWebhook(context.storage.prisma, keyId, given, levels, boundsOf(context));
    },
  });
  addChange(builder, 'updateWebhook', updateArguments, {
    description: 'Changes a webhook; what is omitted stays. To deactivate it, give status: inactive.',
    async change(context, keyId, { id, ...change }) {
      if (change.url !== null) await checkUrl(context, change.url);
      await updateWebhook(context.storage.prisma, keyId, id, change, boundsOf(context).webhooks);
      return id;
    },
  });
  addChange(builder, 'addWebhookAddresses', addressesArguments, {
    description:
      'Adds addresses to a webhook, which has at most MAX_WEBHOOK_ADDRESSES. Those that it has stay.',
    async change(context, keyId, { id, addresses }) {
      const webhook = await webhookOfAddresses(context, keyId, id);
      const { network, metadata } = webhook;
      const chain = parseBlockchainId(network, webhook.chainId) ?? 'p';
      insistOnNetwork(webhook, addresses);
      const levels = await levelsOf(context.storage, { network, chain, metadata }, addresses);
      await addAddresses(context.storage.prisma, keyId, id, addresses, levels, boundsOf(context).addresses);
      return id;
    },
  });
  addChange(builder, 'removeWebhookAddresses', addressesArguments, {
    description:
      'Removes addresses from a webhook; those that it does not have are ignored, and one has to stay.',
    async change(context, keyId, { id, addresses }) {
      await webhookOfAddresses(context, keyId, id);
      await removeAddresses(context.storage.prisma, keyId, id, addresses);
      return id;
    },
  });
  builder.mutationField('rotateWebhookSecret', (t) =>
    t.field({
      type: 'WebhookSecret',
      nullable: true,
      description: `Makes a new secret of the API key of the request; events are signed with it from now on, also those that wait. ${REFUSED}`,
      resolve: async (_root, _args, context) => ({
        secret: await context.webhooks.secrets.rotate(keyOf(context)),
      }),
    }),
  );
}

const REFUSED = 'Null, with an error, when it is refused.';

/** A mutation of a key's webhooks. */
interface Change<A extends Arguments> {
  readonly description: string;
  /** @returns the id of the webhook that it made or changed */
  readonly change: (context: Context, keyId: number, values: ArgumentValues<A>) => Promise<string>;
}

function addChange<A extends Arguments>(
  builder: Builder,
  name: string,
  declared: A,
  { description, change }: Change<A>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: 'Webhook',
      nullable: true,
      description: `${description} ${REFUSED}`,
      args: argumentRefs(t, declared),
      resolve: async (_root, args, context) => {
        const keyId = keyOf(context);
        const id = await change(context, keyId, argumentsOf(declared, args, context));
        context.webhooks.wake();
        const [found] = await findWebhooks(context.storage, [{ keyId, id }]);
        if (!found) throw noWebhook(id);
        return found;
      },
    }),
  );
}

/** The key of a request. @throws AppError UNAUTHENTICATED without one */
export function keyOf({ caller }: Context): number {
  if (caller.kind === 'key') return caller.keyId;
  throw new AppError('UNAUTHENTICATED', 'Webhooks belong to an API key; send one in x-service-api-key.');
}

const boundsOf = ({ config }: Context) => ({
  webhooks: config.MAX_WEBHOOKS,
  addresses: config.MAX_WEBHOOK_ADDRESSES,
});

async function checkUrl({ webhooks }: Context, url: string): Promise<void> {
  await webhooks.checkUrl(url).catch((error: unknown) => {
    throw badInput(`url: ${messageOf(error)}`);
  });
}

async function webhookOfAddresses(context: Context, keyId: number, id: string): Promise<WebhookNode> {
  const [found] = await findWebhooks(context.storage, [{ keyId, id }]);
  if (!found) throw noWebhook(id);
  if (found.metadata.keyType === 'addresses') return found;
  throw badInput(`id: the webhook ${id} is about a ${found.metadata.keyType}, not about addresses`);
}

function insistOnNetwork({ network }: WebhookNode, addresses: readonly string[]): void {
  const { hrp } = identityOf(network);
  const other = addresses.find((address) => !address.startsWith(`${hrp}1`));
  if (other)
    throw badInput(`addresses: ${other} is not an address of ${network}; it must begin with ${hrp}1`);
}
