import { icmMessageId } from '../src/avalanche/icm.js';
import { blockchainIds, evmChainIds } from '../src/avalanche/networks.js';
import type { IcmMessageLine } from '../src/resources/icm-message/import-row.js';
import { firstSecond, lastSecond } from './clock.js';
import { pickAccount, stablecoin, wrappedAvax } from './evm-parties.js';
import { evmAddressOf, evmHashOf, hexOf, idOf } from './ids.js';
import type { L1 } from './l1s.js';
import { seededRandom, type Random } from './random.js';

const MESSAGES = 320;
/** Deployed at the same address on every chain. */
const ICM_CONTRACT = '0x253b2784c75e510dD0fF1da844684a1aC0aa5fcf';
const NO_ADDRESS = `0x${'0'.repeat(40)}`;
const NO_REWARD = {
  address: NO_ADDRESS,
  name: '',
  symbol: '',
  decimals: 0,
  ercType: 'ERC-20',
  value: '0',
};

interface Endpoint {
  blockchainId: string;
  evmChainId: string;
}

/** Messages between the C-chain and the L1s, and some from a chain that is not indexed here; oldest first. */
export function* makeIcmMessages(l1s: readonly L1[]): Iterable<IcmMessageLine> {
  const random = seededRandom('icm messages');
  const chains: Endpoint[] = [
    { blockchainId: blockchainIds.fuji.c, evmChainId: evmChainIds.fuji.toString() },
    ...l1s.map(({ blockchainId, evmChainId }) => ({ blockchainId, evmChainId: evmChainId.toString() })),
  ];
  const since = Math.max(...l1s.map((l1) => l1.since));
  const unindexed = { blockchainId: idOf('a chain that is not indexed'), evmChainId: '7310099' };
  for (let nonce = 1; nonce <= MESSAGES; nonce++) {
    const share = (nonce + 0.9 * random.next()) / (MESSAGES + 1);
    const sentAt = Math.floor(since + share * (lastSecond - since));
    const source = random.chance(0.12) ? unindexed : random.pick(chains);
    const destination = random.pick(chains.filter((chain) => chain !== source));
    const sourceIndexed = source !== unindexed;
    yield makeMessage(random, { nonce, sentAt, source, destination, sourceIndexed });
  }
}

interface Sending {
  nonce: number;
  sentAt: number;
  source: Endpoint;
  destination: Endpoint;
  sourceIndexed: boolean;
}

function makeMessage(
  random: Random,
  { nonce, sentAt, source, destination, sourceIndexed }: Sending,
): IcmMessageLine {
  const delivered = !sourceIndexed || random.chance(0.7);
  const receipts = Array.from({ length: random.chance(0.25) ? random.int(1, 3) : 0 }, () => ({
    receivedMessageNonce: random.int(1, nonce).toString(),
    relayerRewardAddress: relayer(random),
  }));
  return {
    messageId: icmMessageId({
      contract: ICM_CONTRACT,
      source: source.blockchainId,
      destination: destination.blockchainId,
      nonce: nonce.toString(),
    }),
    icmContractAddress: ICM_CONTRACT,
    sourceBlockchainId: source.blockchainId,
    destinationBlockchainId: destination.blockchainId,
    sourceEvmChainId: source.evmChainId,
    destinationEvmChainId: destination.evmChainId,
    messageNonce: nonce.toString(),
    from: pickAccount(random).address,
    to: pickAccount(random).address,
    data: hexOf(`message ${nonce}`, random.int(4, 160)),
    // Delivery and execution are two steps: a message whose call failed waits to be executed again.
    messageExecuted: delivered && !random.chance(0.08),
    receipts,
    receiptDelivered: delivered && random.chance(0.5),
    rewardDetails: rewardOf(random, nonce),
    ...(sourceIndexed && {
      sourceTransaction: { txHash: evmHashOf(`sending ${nonce}`), timestamp: sentAt, gasSpent: gas(random) },
      // A block each second.
      sourceBlockNumber: String(sentAt - firstSecond),
      sourceLogIndex: nonce % 7,
    }),
    ...(delivered && {
      destinationTransaction: {
        txHash: evmHashOf(`delivery ${nonce}`),
        timestamp: sentAt + random.int(3, 240),
        gasSpent: gas(random),
        rewardRedeemer: relayer(random),
        delivererAddress: relayer(random),
      },
    }),
    status: sourceIndexed ? (delivered ? 'delivered' : 'pending') : 'delivered_source_not_indexed',
  };
}

/** No reward, or one in a token that may have a logo. The first two messages have a price too. */
function rewardOf(random: Random, nonce: number): IcmMessageLine['rewardDetails'] {
  const priced = [wrappedAvax, stablecoin][nonce - 1];
  if (!priced && random.chance(0.6)) return NO_REWARD;
  const { address, name, symbol, decimals, logoUri } = priced ?? random.pick([wrappedAvax, stablecoin]);
  return {
    address,
    name,
    symbol,
    decimals,
    ...(logoUri !== undefined && { logoUri }),
    ercType: 'ERC-20',
    // Two at the far end of every list are enough: published clients require a number where the specification
    // has a string, and refuse a page that contains one.
    ...(priced && { price: { currencyCode: 'usd', value: `${random.int(1, 60)}.25` } }),
    value: random.int(1_000, 90_000_000).toString(),
  };
}

function relayer(random: Random): string {
  return evmAddressOf(`relayer ${random.int(0, 4)}`);
}

function gas(random: Random): string {
  return (BigInt(random.int(90_000, 600_000)) * 25_000_000_000n).toString();
}
