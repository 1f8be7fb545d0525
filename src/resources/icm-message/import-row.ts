import { EVM_MAX } from '../../avalanche/evm.js';
import { LAST_LOG, sortKeyOfLog } from '../../avalanche/sort-key.js';
import {
  asDigits,
  asId,
  asList,
  asObject,
  asRowId,
  asSeconds,
  asText,
  asWhole,
  ifGiven,
  wrong,
} from '../../rows/check.js';
import type { Check, Unchecked } from '../../rows/check.js';
import { LONGEST_MESSAGE } from '../../rows/bounds.js';
import { RowError } from '../../rows/errors.js';
import { asHexOf, asShape } from '../../rows/shape.js';
import { icmDetails, icmObjects, type IcmDetails, type IcmStatus } from './details.js';
import { icmMessageFields, type IcmMessageNode } from './fields.js';

export type IcmMessageLine = Omit<IcmMessageNode, 'network' | 'text'> & {
  rowId?: string;
  /** Where the source logged it: its block, and the position among that block's logs. In exported files. */
  sourceBlockNumber?: string;
  sourceLogIndex?: number;
};

/** The ids that a message has for a chain. */
export interface MessageChain {
  blockchainId: string;
  evmChainId: string;
}

/** Of messages that sort before all whose source's log is known. */
export const NO_SORT_KEY = '0';

export interface ImportMessage {
  /** 64 hexadecimal digits in lower case. */
  messageId: string;
  source: MessageChain;
  destination: MessageChain;
  details: IcmDetails;
  /** See sortKeyOfLog; NO_SORT_KEY where the source's log is not known. */
  sortKey: string;
  /** Its id in the installation that exported it. */
  rowId: string | null;
}

const { IcmReceipt, IcmPrice, IcmRewardDetails, IcmSourceTransaction, IcmDestinationTransaction } =
  icmObjects;

const asIds = asShape(icmMessageFields, {
  messageId: asMessageId,
  sourceBlockchainId: asId,
  destinationBlockchainId: asId,
});

const timestamp: Check<number> = (value, name) => Number(asSeconds(value, name));

/** @throws RowError */
export const asRewardDetails = asShape(IcmRewardDetails.fields, {
  price: asShape(IcmPrice.fields, { value: asAmount }),
});

const asDetails = asShape(icmDetails, {
  data: asHexOf(LONGEST_MESSAGE),
  receipts: asList(asShape(IcmReceipt.fields)),
  rewardDetails: asRewardDetails,
  sourceTransaction: asShape(IcmSourceTransaction.fields, { timestamp }),
  destinationTransaction: asShape(IcmDestinationTransaction.fields, { timestamp }),
});

/**
 * Reads an ICM message in the specification's shape (docs/contract.md, "ICM messages").
 *
 * @throws RowError
 */
export function readMessage(value: unknown): ImportMessage {
  const ids = asIds(value, '');
  const details = asDetails(value, '');
  checkStatus(details);
  const line = asObject<IcmMessageLine>(value, '');
  return {
    messageId: ids.messageId,
    source: { blockchainId: ids.sourceBlockchainId, evmChainId: ids.sourceEvmChainId },
    destination: { blockchainId: ids.destinationBlockchainId, evmChainId: ids.destinationEvmChainId },
    details,
    sortKey: sortKeyOf(line, details),
    rowId: asRowId(line.rowId),
  };
}

const asBlock = asDigits(EVM_MAX);
const asIndex = asWhole(LAST_LOG);

function sortKeyOf(line: Unchecked<IcmMessageLine>, { sourceTransaction }: Ends): string {
  const block = ifGiven(asBlock, line.sourceBlockNumber, 'sourceBlockNumber');
  const index = ifGiven(asIndex, line.sourceLogIndex, 'sourceLogIndex');
  if (!sourceTransaction || block === null || index === null) return NO_SORT_KEY;
  return sortKeyOfLog(block, index).toString();
}

type Ends = Pick<IcmDetails, 'sourceTransaction' | 'destinationTransaction'>;

/** The status of a message, from its known transactions; null if none is known. */
export function statusOf({ sourceTransaction, destinationTransaction }: Ends): IcmStatus | null {
  if (destinationTransaction) return sourceTransaction ? 'delivered' : 'delivered_source_not_indexed';
  return sourceTransaction ? 'pending' : null;
}

function checkStatus(details: IcmDetails): void {
  if (details.status === statusOf(details)) return;
  const has = (name: keyof Ends) => `${details[name] ? 'with' : 'without'} ${name}`;
  throw new RowError(
    `status: ${details.status} does not fit ${has('sourceTransaction')} and ${has('destinationTransaction')}`,
  );
}

/** An id in hex, with 0x or without, as 64 digits in lower case. @throws RowError */
export function asMessageId(value: unknown, name: string): string {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(asText(value, name))?.[1];
  if (digits) return digits.toLowerCase();
  throw wrong(name, value, '32 bytes in hex');
}

function asAmount(value: unknown, name: string): string {
  // A number in one source, a text in another; the specification has a text.
  const amount = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof amount === 'string' && /^\d+(?:\.\d+)?$/.test(amount)) return amount;
  throw wrong(name, value, 'a decimal number');
}
