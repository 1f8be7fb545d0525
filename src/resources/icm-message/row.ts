import type { Network } from '../../avalanche/networks.js';
import { parseJson } from '../../json.js';
import type { LongValue } from '../utxo/row.js';

export const icmStatuses = ['pending', 'delivered', 'delivered_source_not_indexed'] as const;
export type IcmStatus = (typeof icmStatuses)[number];

/** The currencies that a price can be in (contract.md, "Closed value sets"). */
export const currencyCodes = 'usd eur aud cad chf clp cny czk dkk gbp hkd huf jpy nzd'.split(
  ' ',
) as readonly string[];

/** An ICM message as the database hands it out. */
export interface IcmMessageRow {
  /** Row id, the position that page tokens carry; a decimal text. */
  id: string;
  network: Network;
  /** The specification's JSON of the message. */
  text: string;
}

export interface IcmReceiptNode {
  receivedMessageNonce: string;
  relayerRewardAddress: string;
}

export interface IcmPriceNode {
  currencyCode: string;
  value: string;
}

export interface IcmRewardNode {
  address: string;
  name: string;
  symbol: string;
  decimals: number;
  logoUri?: string;
  ercType: string;
  price?: IcmPriceNode;
  value: string;
}

export interface IcmSourceTransactionNode {
  txHash: string;
  timestamp: LongValue;
  gasSpent: string;
}

export interface IcmDestinationTransactionNode extends IcmSourceTransactionNode {
  rewardRedeemer: string;
  delivererAddress: string;
}

/** The fields of a message that its `details` hold, as the specification names them. */
export interface IcmMessageDetails {
  icmContractAddress: string;
  messageNonce: string;
  from: string;
  to: string;
  data?: string;
  messageExecuted: boolean;
  receipts: IcmReceiptNode[];
  receiptDelivered: boolean;
  rewardDetails: IcmRewardNode;
  sourceTransaction?: IcmSourceTransactionNode;
  destinationTransaction?: IcmDestinationTransactionNode;
  status: IcmStatus;
}

/** An ICM message as resolvers see it: the row's JSON. */
export interface IcmMessageNode extends IcmMessageDetails {
  network: Network;
  /** The row's JSON text, for REST. */
  text: string;
  messageId: string;
  sourceBlockchainId: string;
  destinationBlockchainId: string;
  sourceEvmChainId: string;
  destinationEvmChainId: string;
}

export function toIcmMessageNode({ network, text }: IcmMessageRow): IcmMessageNode {
  return Object.assign(parseJson(text) as IcmMessageNode, { network, text });
}
