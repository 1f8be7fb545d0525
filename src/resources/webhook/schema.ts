import { argumentRefs, argumentsOf } from '../../graphql/arguments.js';
import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import { addListField } from '../../graphql/list-field.js';
import { webhookArguments, webhookListArguments } from './arguments.js';
import type { SubEvent, WebhookEventType, WebhookKeyNode, WebhookKeyType, WebhookNode } from './fields.js';
import type { WebhookStatus } from './fields.js';
import { findWebhooks, webhookKeyList, webhookList } from './list.js';
import { keyOf, registerWebhookChanges } from './changes-schema.js';
import { registerWebhookTypes } from './types-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Webhook: WebhookNode;
    WebhookKey: WebhookKeyNode;
    WebhookSecret: { secret: string };
  }
  interface LeafTypes {
    WebhookEventType: Leaf<WebhookEventType>;
    WebhookSubEvent: Leaf<SubEvent>;
    WebhookKeyType: Leaf<WebhookKeyType>;
    WebhookStatus: Leaf<WebhookStatus>;
    WebhookBalanceType: Leaf<string>;
  }
}

/**
 * Registers the type Webhook, the fields of the query that read webhooks, and the mutations that change
 * them.
 */
export function registerWebhook(builder: Builder): void {
  registerWebhookTypes(builder);
  registerConnection(builder, 'Webhook', 'webhooks');
  registerConnection(builder, 'WebhookKey', 'keys of a webhook');
  addListField(builder, 'Webhook', 'keys', {
    type: 'WebhookKeyConnection',
    description: 'What it is about: addresses, or one node or subnet, in the order in which they were added.',
    list: webhookKeyList,
    of: { webhookRowId: ({ rowId }) => rowId },
    key: ({ id }) => ({ id }),
  });
  addListField(builder, 'Query', 'webhooks', {
    type: 'WebhookConnection',
    description: 'The webhooks of the API key of the request, in the order in which they were made.',
    list: webhookList,
    arguments: webhookListArguments,
    toQuery: ({ status }: { status: WebhookStatus | null }, context) =>
      Promise.resolve({ keyId: keyOf(context), status }),
  });
  builder.queryField('webhook', (t) =>
    t.field({
      type: 'Webhook',
      nullable: true,
      description: 'A webhook of the API key of the request, by its id; null when the key has none with it.',
      args: argumentRefs(t, webhookArguments),
      resolve: async (_root, args, context) => {
        const { id } = argumentsOf(webhookArguments, args, context);
        const [found] = await findWebhooks(context.storage, [{ keyId: keyOf(context), id }]);
        return found ?? null;
      },
    }),
  );
  builder.queryField('webhookSecret', (t) =>
    t.field({
      type: 'WebhookSecret',
      nullable: true,
      description:
        'The secret of the API key of the request, with which all events of its webhooks are signed; null before its first webhook or secret is made.',
      resolve: async (_root, _args, context) => {
        const secret = await context.webhooks.secrets.read(keyOf(context));
        return secret === null ? null : { secret };
      },
    }),
  );
  registerWebhookChanges(builder);
}
