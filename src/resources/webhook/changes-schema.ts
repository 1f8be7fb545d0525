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
  builder.mutationField('createWebhook', (t) =>
    t.field({
      type: 'Webhook',
      nullable: true,
      description:
        'Makes a webhook, which gets the events of what is committed from now on. Its key has at most MAX_WEBHOOKS that are active; where it has as many in all, the oldest that are inactive make room. Null, with an error, when it is refused.',
      args: argumentRefs(t, createArguments),
      resolve: async (_root, args, context) => {
        const keyId = keyOf(context);
        const given = newWebhook(argumentsOf(createArguments, args, context));
        await checkUrl(context, given.url);
        await context.webhooks.secrets.ensure(keyId);
        const levels = await levelsOf(context.storage, given, given.keys);
        const id = await createWebhook(context.storage.prisma, keyId, given, levels, boundsOf(context));
        return changed(context, keyId, id);
      },
    }),
  );
  builder.mutationField('updateWebhook', (t) =>
    t.field({
      type: 'Webhook',
      nullable: true,
      description:
        'Changes a webhook; what is omitted stays. To deactivate it, give status: inactive. Null, with an error, when it is refused.',
      args: argumentRefs(t, updateArguments),
      resolve: async (_root, args, context) => {
        const keyId = keyOf(context);
        const { id, ...change } = argumentsOf(updateArguments, args, context);
        if (change.url !== null) await checkUrl(context, change.url);
        await updateWebhook(context.storage.prisma, keyId, id, change, boundsOf(context).webhooks);
        return changed(context, keyId, id);
      },
    }),
  );
  registerChangesOfAddresses(builder);
  builder.mutationField('rotateWebhookSecret', (t) =>
    t.field({
      type: 'WebhookSecret',
      nullable: true,
      description:
        'Makes a new secret of the API key of the request; events are signed with it from now on, also those that wait. Null, with an error, when it is refused.',
      resolve: async (_root, _args, context) => ({
        secret: await context.webhooks.secrets.rotate(keyOf(context)),
      }),
    }),
  );
}

function registerChangesOfAddresses(builder: Builder): void {
  builder.mutationField('addWebhookAddresses', (t) =>
    t.field({
      type: 'Webhook',
      nullable: true,
      description:
        'Adds addresses to a webhook, which has at most MAX_WEBHOOK_ADDRESSES. Those that it has stay. Null, with an error, when it is refused.',
      args: argumentRefs(t, addressesArguments),
      resolve: async (_root, args, context) => {
        const keyId = keyOf(context);
        const { id, addresses } = argumentsOf(addressesArguments, args, context);
        const webhook = await webhookOfAddresses(context, keyId, id);
        const { network, metadata } = webhook;
        const chain = parseBlockchainId(network, webhook.chainId) ?? 'p';
        insistOnNetwork(webhook, addresses);
        const levels = await levelsOf(context.storage, { network, chain, metadata }, addresses);
        const { prisma } = context.storage;
        await addAddresses(prisma, keyId, id, addresses, levels, boundsOf(context).addresses);
        return changed(context, keyId, id);
      },
    }),
  );
  builder.mutationField('removeWebhookAddresses', (t) =>
    t.field({
      type: 'Webhook',
      nullable: true,
      description:
        'Removes addresses from a webhook; those that it does not have are ignored, and one has to stay. Null, with an error, when it is refused.',
      args: argumentRefs(t, addressesArguments),
      resolve: async (_root, args, context) => {
        const keyId = keyOf(context);
        const { id, addresses } = argumentsOf(addressesArguments, args, context);
        await webhookOfAddresses(context, keyId, id);
        await removeAddresses(context.storage.prisma, keyId, id, addresses);
        return changed(context, keyId, id);
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

async function changed(context: Context, keyId: number, id: string): Promise<WebhookNode> {
  context.webhooks.wake();
  const [found] = await findWebhooks(context.storage, [{ keyId, id }]);
  if (!found) throw noWebhook(id);
  return found;
}
