import { ref, whole } from '../../fields/json-schema.js';
import { badInput } from '../../errors.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { defineRoute } from '../../rest/route.js';
import { webhookArguments, webhookListArguments } from './arguments.js';
import { addressesBody, createBody, updateBody } from './request-body.js';
import * as documents from './rest-documents.js';
import { changedExample, example, schemas, secretExample } from './rest-schemas.js';

const webhookReply = (description: string, status = 200) => ({
  description,
  status,
  schema: ref('Webhook'),
  components: schemas,
  example,
});
const missing = (_values: unknown, { id }: { id?: string }) => `this key has no webhook ${id}`;

/** The published form of a reply to a change of addresses: closed, and of webhooks of another kind. */
function changedText(json: string): string {
  const webhook = JSON.parse(json) as { metadata: { keys: readonly string[] } };
  const { metadata } = webhook;
  return JSON.stringify({
    ...webhook,
    eventType: 'address_activity',
    metadata: { ...metadata, addresses: metadata.keys },
  });
}

const WEBHOOK = '/v1/webhooks/{id}';
const changedReply = {
  description: 'The webhook.',
  schema: ref('ChangedWebhook'),
  components: schemas,
  example: changedExample,
};

export const webhookRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    description:
      'Makes a webhook of the API key: events of what is committed from now on are sent to its address.',
    parameters: {},
    body: createBody,
    document: documents.createWebhook,
    reply: (data) => data.createWebhook?.json ?? null,
    response: webhookReply('The webhook.', 201),
  }),
  defineListRoute({
    operation: 'ListWebhooks',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of the API key, in the order in which they were made.',
    parameters: { ...webhookListArguments, ...pageArguments },
    field: 'webhooks',
    rows: { name: 'webhooks', words: 'webhooks', schema: 'Webhook', page: 'WebhookPage' },
    schemas,
    example: { webhooks: [example] },
  }),
  defineRoute({
    method: 'GET',
    path: WEBHOOK,
    summary: 'Get a webhook',
    description: 'A webhook of the API key.',
    parameters: webhookArguments,
    document: documents.getWebhook,
    reply: ({ webhook }) => webhook && webhook.json,
    missing,
    response: webhookReply('The webhook.'),
  }),
  defineRoute({
    method: 'PATCH',
    path: WEBHOOK,
    summary: 'Update a webhook',
    description: 'Changes a webhook of the API key.',
    parameters: webhookArguments,
    body: updateBody,
    document: documents.updateWebhook,
    reply: (data) => data.updateWebhook?.json ?? null,
    missing,
    response: webhookReply('The webhook.'),
  }),
  defineRoute({
    method: 'DELETE',
    path: WEBHOOK,
    summary: 'Deactivate a webhook',
    description: 'Sends nothing any more to a webhook of the API key, which is still listed as inactive.',
    parameters: webhookArguments,
    document: documents.deactivateWebhook,
    values: ({ id }) => ({ id, status: 'inactive' }),
    reply: (data) => data.updateWebhook?.json ?? null,
    missing,
    response: webhookReply('The webhook.'),
  }),
  defineListRoute({
    operation: 'GetAddressesFromWebhook',
    path: `${WEBHOOK}/addresses`,
    summary: 'List addresses of a webhook',
    description: 'The addresses of a webhook of the API key, in the order in which they were added.',
    parameters: { ...webhookArguments, ...pageArguments },
    within: { field: 'webhook', takes: ['id'] },
    field: 'keys',
    also: {
      fragment: documents.keysOf,
      absence: ({ keyType }) =>
        keyType === 'addresses'
          ? null
          : badInput(`id: the webhook is about a ${keyType}, not about addresses`),
    },
    more: {
      members: { totalAddresses: whole('Number of its addresses.') },
      textOf: (_values, { keyCount }) => `,"totalAddresses":${keyCount}`,
    },
    missing,
    rows: { name: 'addresses', words: 'addresses', schema: 'WebhookAddress', page: 'WebhookAddressPage' },
    schemas,
    example: { addresses: ['fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm'], totalAddresses: 1 },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${WEBHOOK}/addresses`,
    summary: 'Add addresses to a webhook',
    description: 'Adds addresses to a webhook of the API key.',
    parameters: webhookArguments,
    body: addressesBody,
    document: documents.addAddresses,
    reply: (data) => data.addWebhookAddresses && changedText(data.addWebhookAddresses.json),
    missing,
    response: changedReply,
  }),
  defineRoute({
    method: 'DELETE',
    path: `${WEBHOOK}/addresses`,
    summary: 'Remove addresses from a webhook',
    description: 'Removes addresses from a webhook of the API key; one has to stay.',
    parameters: webhookArguments,
    body: addressesBody,
    document: documents.removeAddresses,
    reply: (data) => data.removeWebhookAddresses && changedText(data.removeWebhookAddresses.json),
    missing,
    response: changedReply,
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/webhooks:generateOrRotateSharedSecret',
    summary: 'Make a new shared secret',
    description:
      'Makes the secret with which the events of all webhooks of the API key are signed from now on.',
    parameters: {},
    document: documents.rotateSecret,
    reply: ({ rotateWebhookSecret }) => rotateWebhookSecret && JSON.stringify(rotateWebhookSecret),
    response: {
      description: 'The secret.',
      status: 201,
      schema: ref('SharedSecret'),
      components: schemas,
      example: secretExample,
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/webhooks:getSharedSecret',
    summary: 'Get the shared secret',
    description: 'The secret with which the events of all webhooks of the API key are signed.',
    parameters: {},
    document: documents.getSecret,
    reply: ({ webhookSecret }) => webhookSecret && JSON.stringify(webhookSecret),
    missing: () => 'this key has no secret yet: its first webhook makes one',
    response: {
      description: 'The secret.',
      schema: ref('SharedSecret'),
      components: schemas,
      example: secretExample,
    },
  }),
];
