import type { Network } from '../../avalanche/networks.js';
import { asObject, ifGiven, asId } from '../../rows/check.js';
import { asShape } from '../../rows/shape.js';
import type { Batch } from '../../storage/session.js';
import type { RowKind } from '../../write/kind.js';
import type { NetworkScope } from '../../write/scope.js';
import { upsertRows } from '../../write/upsert.js';
import { icmDetails, type IcmDetails } from './details.js';
import { mergeRewards } from './import-merge.js';
import { asMessageId, asRewardDetails, type ImportMessage } from './import-row.js';
import { findMessages, writeMessages } from './import-store.js';

/** What a chain's logs say of a message that they only name. All of it stays so once it is true. */
export interface MessageFacts {
  /** 64 hexadecimal digits in lower case. */
  readonly messageId: string;
  /** The chain whose logs say it, CB58. */
  readonly blockchainId: string;
  /** Counts only if `blockchainId` is the chain that received the message. */
  readonly messageExecuted: boolean;
  /** This and `rewardDetails` count only if it is the chain that sent the message. */
  readonly receiptDelivered: boolean;
  /** Null where nothing is said of it. */
  readonly rewardDetails: IcmDetails['rewardDetails'] | null;
}

const { messageExecuted, receiptDelivered } = icmDetails;
const asFacts = asShape({ messageExecuted, receiptDelivered });

/**
 * What happened to messages. What is said of a message that is not stored waits in `icm_waiting` until the
 * message comes, from whichever source.
 */
export const messageFactsRows: RowKind<MessageFacts, NetworkScope> = {
  tables: ['icm_message', 'icm_chain', 'icm_waiting', 'message_day'],
  lock: ({ network }) => network,
  read(value) {
    const given = asObject<MessageFacts>(value, '');
    return {
      messageId: asMessageId(given.messageId, 'messageId'),
      blockchainId: asId(given.blockchainId, 'blockchainId'),
      ...asFacts(value, ''),
      rewardDetails: ifGiven(asRewardDetails, given.rewardDetails, 'rewardDetails'),
    };
  },
  async write(client, scope, rows) {
    const { network } = scope;
    const ids = rows.map(({ messageId }) => messageId);
    const stored = await findMessages(client, network, ids);
    const messages = new Map(stored);
    const unknown = rows.filter(({ messageId }) => !stored.has(messageId));
    for (const facts of rows) {
      const message = messages.get(facts.messageId);
      if (message) messages.set(facts.messageId, withFacts(message, facts));
    }
    const held = await writeMessages(client, scope, stored, [...messages.values()]);
    const kept = await wait(client, network, unknown);
    const written = held.inserted + held.updated + kept.inserted + kept.updated;
    return { written, unchanged: Math.max(0, rows.length - written) };
  },
};

/** Takes out what waits for these messages, which are about to be written. */
export async function takeWaiting(
  client: Batch,
  network: Network,
  ids: readonly string[],
): Promise<MessageFacts[]> {
  const waiting = await readWaiting(client, network, ids);
  if (waiting.length > 0)
    await client.query('DELETE FROM icm_waiting WHERE network = $1 AND message_id = ANY($2::bytea[])', [
      network,
      waiting.map(({ messageId }) => `\\x${messageId}`),
    ]);
  return waiting;
}

/**
 * The message with what happened to it. Its receiving chain says whether it was executed, its sending chain
 * the rest; other chains are not believed.
 */
export function withFacts(message: ImportMessage, facts: MessageFacts): ImportMessage {
  const { details, source, destination } = message;
  const isSource = source.blockchainId === facts.blockchainId;
  const isDestination = destination.blockchainId === facts.blockchainId;
  const { rewardDetails } = facts;
  return {
    ...message,
    details: {
      ...details,
      messageExecuted: details.messageExecuted || (isDestination && facts.messageExecuted),
      receiptDelivered: details.receiptDelivered || (isSource && facts.receiptDelivered),
      rewardDetails:
        isSource && rewardDetails
          ? mergeRewards(rewardDetails, details.rewardDetails)
          : details.rewardDetails,
    },
  };
}

function mergeFacts(known: MessageFacts, facts: MessageFacts): MessageFacts {
  const rewards = [facts.rewardDetails, known.rewardDetails] as const;
  return {
    ...facts,
    messageExecuted: known.messageExecuted || facts.messageExecuted,
    receiptDelivered: known.receiptDelivered || facts.receiptDelivered,
    rewardDetails:
      rewards[0] && rewards[1] ? mergeRewards(rewards[0], rewards[1]) : (rewards[0] ?? rewards[1]),
  };
}

async function readWaiting(client: Batch, network: Network, ids: readonly string[]): Promise<MessageFacts[]> {
  const { rows } = await client.query<MessageFacts>(
    `SELECT encode(message_id, 'hex') AS "messageId", blockchain_id AS "blockchainId",
       message_executed AS "messageExecuted", receipt_delivered AS "receiptDelivered", reward_details AS "rewardDetails"
     FROM icm_waiting WHERE network = $1 AND message_id = ANY($2::bytea[])`,
    [network, ids.map((id) => `\\x${id}`)],
  );
  return rows;
}

const table = {
  name: 'icm_waiting',
  columns: {
    network: 'network',
    message_id: 'bytea',
    blockchain_id: 'text',
    message_executed: 'boolean',
    receipt_delivered: 'boolean',
    reward_details: 'jsonb',
  },
  key: ['network', 'message_id', 'blockchain_id'],
};

/** Keeps facts until their message comes, those of a message and a chain in one row. */
async function wait(client: Batch, network: Network, rows: readonly MessageFacts[]) {
  const keyOf = ({ messageId, blockchainId }: MessageFacts) => `${messageId} ${blockchainId}`;
  const known = await readWaiting(
    client,
    network,
    rows.map(({ messageId }) => messageId),
  );
  const waiting = new Map(known.map((facts) => [keyOf(facts), facts]));
  for (const facts of rows) {
    const other = waiting.get(keyOf(facts));
    waiting.set(keyOf(facts), other ? mergeFacts(other, facts) : facts);
  }
  return upsertRows(
    client,
    table,
    [...waiting.values()].map(({ messageId, blockchainId, rewardDetails, ...facts }) => [
      network,
      `\\x${messageId}`,
      blockchainId,
      facts.messageExecuted,
      facts.receiptDelivered,
      rewardDetails && JSON.stringify(rewardDetails),
    ]),
  );
}
