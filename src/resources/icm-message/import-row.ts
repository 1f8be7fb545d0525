import { asEvmAddress, asHash, asUint256 } from '../../ingest/check-evm.js';
import {
  asBoolean,
  asId,
  asList,
  asMember,
  asObject,
  asRowId,
  asText,
  asWhole,
  optional,
  wrong,
  type JsonObject,
} from '../../ingest/check.js';
import { RowError } from '../../ingest/errors.js';
import {
  currencyCodes,
  icmStatuses,
  type IcmDestinationTransactionNode,
  type IcmMessageDetails,
  type IcmPriceNode,
  type IcmReceiptNode,
  type IcmRewardNode,
  type IcmSourceTransactionNode,
  type IcmStatus,
} from './row.js';

/** The ids that a message gives a chain. */
export interface MessageChain {
  blockchainId: string;
  evmChainId: string;
}

/** An ICM message of an import row. */
export interface ImportMessage {
  /** 64 hexadecimal digits in lower case. */
  messageId: string;
  source: MessageChain;
  destination: MessageChain;
  details: IcmMessageDetails;
  /** The id that it had where it was exported. */
  rowId: string | null;
}

const asTimestamp = asWhole(BigInt(Number.MAX_SAFE_INTEGER));
const asDecimals = asWhole(255n);
const asStatus = asMember(icmStatuses);
const asCurrency = asMember(currencyCodes);

/**
 * Reads an ICM message in the specification's shape (contract.md, "ICM messages").
 *
 * @throws RowError
 */
export function readMessage(value: unknown): ImportMessage {
  const row = asObject(value, 'the line');
  const source = optional(readSource, row.sourceTransaction, 'sourceTransaction');
  const destination = optional(readDestination, row.destinationTransaction, 'destinationTransaction');
  const data = optional(asHex, row.data, 'data');
  return {
    messageId: asMessageId(row.messageId, 'messageId'),
    source: readChain(row, 'source'),
    destination: readChain(row, 'destination'),
    rowId: asRowId(row.rowId),
    details: {
      icmContractAddress: asEvmAddress(row.icmContractAddress, 'icmContractAddress'),
      messageNonce: asUint256(row.messageNonce, 'messageNonce'),
      from: asEvmAddress(row.from, 'from'),
      to: asEvmAddress(row.to, 'to'),
      ...(data !== null && { data }),
      messageExecuted: asBoolean(row.messageExecuted, 'messageExecuted'),
      receipts: asList(readReceipt)(row.receipts, 'receipts'),
      receiptDelivered: asBoolean(row.receiptDelivered, 'receiptDelivered'),
      rewardDetails: readReward(row.rewardDetails, 'rewardDetails'),
      ...(source && { sourceTransaction: source }),
      ...(destination && { destinationTransaction: destination }),
      status: readStatus(row.status, source !== null, destination !== null),
    },
  };
}

/** The status of a message by which of its transactions are known; null when neither is. */
export function statusOf(source: boolean, destination: boolean): IcmStatus | null {
  if (destination) return source ? 'delivered' : 'delivered_source_not_indexed';
  return source ? 'pending' : null;
}

function readStatus(value: unknown, source: boolean, destination: boolean): IcmStatus {
  const status = asStatus(value, 'status');
  if (status === statusOf(source, destination)) return status;
  const has = (held: boolean) => (held ? 'with' : 'without');
  throw new RowError(
    `status: ${status} does not go ${has(source)} sourceTransaction and ${has(destination)} destinationTransaction`,
  );
}

function readChain(row: JsonObject, side: 'source' | 'destination'): MessageChain {
  return {
    blockchainId: asId(row[`${side}BlockchainId`], `${side}BlockchainId`),
    evmChainId: asUint256(row[`${side}EvmChainId`], `${side}EvmChainId`),
  };
}

function asMessageId(value: unknown, name: string): string {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(asText(value, name))?.[1];
  if (digits) return digits.toLowerCase();
  throw wrong(name, value, '32 bytes in hex');
}

function asHex(value: unknown, name: string): string {
  const text = asText(value, name);
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return text;
  throw wrong(name, value, 'bytes in hex with 0x');
}

function readReceipt(value: unknown, name: string): IcmReceiptNode {
  const receipt = asObject(value, name);
  return {
    receivedMessageNonce: asUint256(receipt.receivedMessageNonce, `${name}.receivedMessageNonce`),
    relayerRewardAddress: asEvmAddress(receipt.relayerRewardAddress, `${name}.relayerRewardAddress`),
  };
}

function readReward(value: unknown, name: string): IcmRewardNode {
  const reward = asObject(value, name);
  const logoUri = optional(asText, reward.logoUri, `${name}.logoUri`);
  const price = optional(readPrice, reward.price, `${name}.price`);
  return {
    address: asEvmAddress(reward.address, `${name}.address`),
    name: asText(reward.name, `${name}.name`),
    symbol: asText(reward.symbol, `${name}.symbol`),
    decimals: Number(asDecimals(reward.decimals, `${name}.decimals`)),
    ...(logoUri !== null && { logoUri }),
    ercType: asMember(['ERC-20'])(reward.ercType, `${name}.ercType`),
    ...(price && { price }),
    value: asUint256(reward.value, `${name}.value`),
  };
}

function readPrice(value: unknown, name: string): IcmPriceNode {
  const price = asObject(value, name);
  // A number in one source, a text in another; the specification has a text.
  const amount = typeof price.value === 'number' ? String(price.value) : price.value;
  if (typeof amount !== 'string' || !/^\d+(?:\.\d+)?$/.test(amount))
    throw wrong(`${name}.value`, price.value, 'a decimal number');
  return { currencyCode: asCurrency(price.currencyCode, `${name}.currencyCode`), value: amount };
}

function readSource(value: unknown, name: string): IcmSourceTransactionNode {
  const transaction = asObject(value, name);
  return {
    txHash: asHash(transaction.txHash, `${name}.txHash`),
    timestamp: Number(asTimestamp(transaction.timestamp, `${name}.timestamp`)),
    gasSpent: asUint256(transaction.gasSpent, `${name}.gasSpent`),
  };
}

function readDestination(value: unknown, name: string): IcmDestinationTransactionNode {
  const transaction = asObject(value, name);
  return {
    ...readSource(value, name),
    rewardRedeemer: asEvmAddress(transaction.rewardRedeemer, `${name}.rewardRedeemer`),
    delivererAddress: asEvmAddress(transaction.delivererAddress, `${name}.delivererAddress`),
  };
}
