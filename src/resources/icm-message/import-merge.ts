import { NO_SORT_KEY, statusOf, type ImportMessage, type MessageChain } from './import-row.js';
import type { IcmDetails } from './details.js';

type Reward = IcmDetails['rewardDetails'];

/**
 * Merges two rows of one message by side: what the chain that sent it says comes from the row with its
 * transaction there, what the chain that received it says from the row with that one, whichever comes first.
 * A message that was sent again was sent by the first transaction. Where both rows have the same transaction,
 * the newer row counts. A value that only one row knows is kept, and what has happened stays so.
 */
export function mergeMessages(stored: ImportMessage, given: ImportMessage): ImportMessage {
  const [sender, other] = inOrder(stored, given, 'sourceTransaction');
  const [receiver, second] = inOrder(stored, given, 'destinationTransaction');
  const [mine, theirs] = [sender.details, other.details];
  const data = mine.data ?? theirs.data;
  const source = mine.sourceTransaction;
  const destination = receiver.details.destinationTransaction;
  const ends = {
    ...(source && { sourceTransaction: source }),
    ...(destination && { destinationTransaction: destination }),
  };
  const { status } = mine;
  const isOneSending = !source || !theirs.sourceTransaction || isSame(source, theirs.sourceTransaction);
  return {
    messageId: sender.messageId,
    source: knownChain(sender.source, other.source),
    destination: knownChain(receiver.destination, second.destination),
    details: {
      ...mine,
      ...(data && { data }),
      // A file of the receiving chain may not have them.
      receipts: mine.receipts.length > 0 ? mine.receipts : theirs.receipts,
      rewardDetails: mergeRewards(mine.rewardDetails, theirs.rewardDetails),
      messageExecuted: mine.messageExecuted || theirs.messageExecuted,
      receiptDelivered: mine.receiptDelivered || theirs.receiptDelivered,
      ...ends,
      status: statusOf(ends) ?? status,
    },
    sortKey: isOneSending && sender.sortKey === NO_SORT_KEY ? other.sortKey : sender.sortKey,
    rowId: given.rowId ?? stored.rowId,
  };
}

/**
 * First the row that knows this transaction: of two transactions the earlier one, of two rows of one the
 * newer.
 */
function inOrder(
  stored: ImportMessage,
  given: ImportMessage,
  side: 'sourceTransaction' | 'destinationTransaction',
): [ImportMessage, ImportMessage] {
  const [before, now] = [stored.details[side], given.details[side]];
  if (!before || !now) return now || !before ? [given, stored] : [stored, given];
  return isSame(before, now) || now.timestamp < before.timestamp ? [given, stored] : [stored, given];
}

const isSame = (one: { txHash: string }, other: { txHash: string }) => one.txHash === other.txHash;

/** A chain whose EVM chain id is not known has 0. */
const knownChain = (chain: MessageChain, other: MessageChain): MessageChain =>
  chain.evmChainId === '0' ? other : chain;

/**
 * A row without a reward does not remove that of another row. For one token all known values are merged, and
 * a reward only grows.
 */
export function mergeRewards(first: Reward, second: Reward): Reward {
  const isLess = BigInt(first.value) < BigInt(second.value);
  if (first.address !== second.address) return isLess ? second : first;
  // A contract may have said its names only once.
  const isDescribed = first.name !== '' || first.symbol !== '';
  const merged = isDescribed ? { ...second, ...first } : { ...first, ...second };
  return { ...merged, value: isLess ? second.value : first.value };
}
