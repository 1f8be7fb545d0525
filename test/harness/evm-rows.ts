import { createHash } from 'node:crypto';
import { idOf } from './ledger-rows.js';

export { idOf };

/** 32 bytes in hex with 0x, derived from a name. */
export const hashOf = (name: string): string => `0x${createHash('sha256').update(name).digest('hex')}`;

/** 32 bytes in hex with 0x that contain a number. */
export const hashAt = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

/** Addresses with EIP-55 checksums (EIP-55, "Test Cases"). */
export const addresses = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
] as const;

/** An import row of an EVM chain. */
export function chainRow(chainId: string, fields: object = {}): object {
  return {
    chainId,
    chainName: `Chain ${chainId}`,
    isTestnet: true,
    isEvm: true,
    isActive: true,
    rpcUrl: `https://chain-${chainId}.example/rpc`,
    networkToken: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    ...fields,
  };
}

/** An import row of an internal transaction. */
export function frameRow(fields: object = {}): object {
  return {
    blockNumber: '100',
    blockTimestamp: 1_700_000_000,
    blockHash: hashOf('block'),
    txHash: hashOf('transaction'),
    from: { address: addresses[0] },
    to: { address: addresses[1] },
    internalTxType: 'CALL',
    value: '1',
    isReverted: false,
    gasUsed: '0',
    gasLimit: '2300',
    ...fields,
  };
}

const noReward = {
  address: `0x${'0'.repeat(40)}`,
  name: '',
  symbol: '',
  decimals: 0,
  ercType: 'ERC-20',
  value: '0',
};

/** Of a message, with a price and a logo; its texts have characters that JSON escapes. */
export const reward = {
  address: addresses[3],
  name: 'Wrapped "Coin"',
  symbol: 'W\\C',
  decimals: 18,
  logoUri: 'https://example.com/coin.svg',
  ercType: 'ERC-20',
  price: { currencyCode: 'usd', value: '12.340' },
  value: '1000000000000000000000',
};

/** An import row of an ICM message; the status follows from which transactions it has. */
export function messageRow(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const sourceTransaction =
    'sourceTransaction' in fields ? fields.sourceTransaction : sourceAt(1_700_000_000);
  const row: Record<string, unknown> = {
    messageId: hashOf('message').slice(2),
    icmContractAddress: '0x253b2784c75e510dD0fF1da844684a1aC0aa5fcf',
    sourceBlockchainId: idOf('chain 1'),
    destinationBlockchainId: idOf('chain 2'),
    sourceEvmChainId: '1001',
    destinationEvmChainId: '1002',
    messageNonce: '1',
    from: addresses[0],
    to: addresses[1],
    data: '0x01',
    messageExecuted: false,
    receipts: [],
    receiptDelivered: false,
    rewardDetails: noReward,
    ...fields,
    ...(sourceTransaction !== undefined && { sourceTransaction }),
  };
  const delivered = row.destinationTransaction !== undefined;
  row.status = !delivered ? 'pending' : sourceTransaction ? 'delivered' : 'delivered_source_not_indexed';
  return JSON.parse(JSON.stringify(row)) as Record<string, unknown>;
}

/** The transaction that sent a message at this time. */
export const sourceAt = (timestamp: number) => ({ txHash: hashOf('sending'), timestamp, gasSpent: '21000' });

/** The transaction that delivered a message at this time. */
export const deliveryAt = (timestamp: number) => ({
  txHash: hashOf('delivery'),
  timestamp,
  gasSpent: '42000',
  rewardRedeemer: addresses[2],
  delivererAddress: addresses[3],
});
