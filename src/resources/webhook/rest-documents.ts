import { graphql } from '../../generated/graphql/gql.js';

export const createWebhook = graphql(`
  mutation CreateWebhook(
    $eventType: WebhookEventType!
    $url: String!
    $name: String
    $description: String
    $network: Network!
    $blockchainId: String
    $keyType: WebhookKeyType!
    $keys: [String!]!
    $subEvents: [WebhookSubEvent!]!
    $balanceType: WebhookBalanceType
    $balanceThreshold: BigNumber
    $nodeIds: [String!]
    $subnetIds: [String!]
    $feeBalanceThreshold: BigNumber
  ) {
    createWebhook(
      eventType: $eventType
      url: $url
      name: $name
      description: $description
      network: $network
      blockchainId: $blockchainId
      keyType: $keyType
      keys: $keys
      subEvents: $subEvents
      balanceType: $balanceType
      balanceThreshold: $balanceThreshold
      nodeIds: $nodeIds
      subnetIds: $subnetIds
      feeBalanceThreshold: $feeBalanceThreshold
    ) {
      json
    }
  }
`);

export const getWebhook = graphql(`
  query GetWebhook($id: String!) {
    webhook(id: $id) {
      json
    }
  }
`);

export const updateWebhook = graphql(`
  mutation UpdateWebhook(
    $id: String!
    $url: String
    $name: String
    $description: String
    $status: WebhookStatus
  ) {
    updateWebhook(id: $id, url: $url, name: $name, description: $description, status: $status) {
      json
    }
  }
`);

export const deactivateWebhook = graphql(`
  mutation DeactivateWebhook($id: String!) {
    updateWebhook(id: $id, status: inactive) {
      json
    }
  }
`);

export const addAddresses = graphql(`
  mutation AddAddressesToWebhook($id: String!, $addresses: [String!]!) {
    addWebhookAddresses(id: $id, addresses: $addresses) {
      json
    }
  }
`);

export const removeAddresses = graphql(`
  mutation RemoveAddressesFromWebhook($id: String!, $addresses: [String!]!) {
    removeWebhookAddresses(id: $id, addresses: $addresses) {
      json
    }
  }
`);

export const rotateSecret = graphql(`
  mutation GenerateOrRotateSharedSecret {
    rotateWebhookSecret {
      secret
    }
  }
`);

export const getSecret = graphql(`
  query GetSharedSecret {
    webhookSecret {
      secret
    }
  }
`);

export const keysOf = graphql(`
  fragment KeysOfWebhook on Webhook {
    keyType
    keyCount
  }
`);
