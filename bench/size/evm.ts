import { evmAddressOf, evmHashOf, idOf } from '../../sample/ids.js';
import { chainRow, messageRow } from '../../test/harness/evm-rows.js';
import { Random } from '../../test/harness/random.js';
import { counts } from './counts.js';

const FIRST_SECOND = 1_600_000_000;
const CHAINS = 100;
const CONTRACTS = 200;
const DAYS = 1_000;
/** Of the data of a message: as many on average among 92 of mainnet's. */
export const MESSAGE_BYTES = 246;

/** An address, most of them of few. */
const partyOf = (random: Random, parties: number) =>
  evmAddressOf(`party ${Math.floor(parties * random.next() ** 2)}`);

/** Internal transactions, two in a transaction, twenty in a block, each to another party. */
export function* makeFrames(count: number): Generator<object> {
  const random = new Random(15);
  for (let number = 0; number < count; number += 1) {
    const block = Math.floor(number / 20);
    yield {
      blockNumber: String(block),
      blockTimestamp: FIRST_SECOND + 2 * block,
      blockHash: evmHashOf(`block ${block}`),
      txHash: evmHashOf(`transaction ${number >> 1}`),
      from: { address: partyOf(random, count / 5) },
      to: { address: partyOf(random, count / 5) },
      internalTxType: 'CALL',
      value: amountOf(random),
      isReverted: false,
      gasUsed: String(random.below(90_000)),
      gasLimit: String(random.below(900_000)),
    };
  }
}

/** ICM messages among a hundred chains, nine of ten delivered. */
export function* makeMessages(count: number): Generator<object> {
  const random = new Random(16);
  for (let number = 0; number < count; number += 1) {
    const [source, destination] = [random.below(CHAINS), random.below(CHAINS)];
    const timestamp = FIRST_SECOND + 60 * number;
    const gasSpent = String(random.below(1e14));
    const relayer = evmAddressOf(`relayer ${random.below(20)}`);
    yield messageRow({
      messageId: evmHashOf(`message ${number}`).slice(2),
      sourceBlockchainId: idOf(`chain ${source}`),
      sourceEvmChainId: String(1000 + source),
      destinationBlockchainId: idOf(`chain ${destination}`),
      destinationEvmChainId: String(1000 + destination),
      messageNonce: String(number),
      from: partyOf(random, count / 5),
      to: partyOf(random, count / 5),
      messageExecuted: true,
      data: `0x${evmHashOf(`data ${number}`)
        .slice(2)
        .repeat(8)
        .slice(0, 2 * MESSAGE_BYTES)}`,
      receipts: [{ receivedMessageNonce: String(number), relayerRewardAddress: relayer }],
      sourceTransaction: { txHash: evmHashOf(`sending ${number}`), timestamp, gasSpent },
      ...(random.chance(0.9) && {
        destinationTransaction: {
          txHash: evmHashOf(`delivery ${number}`),
          timestamp: timestamp + 5,
          gasSpent,
          rewardRedeemer: relayer,
          delivererAddress: relayer,
        },
      }),
    });
  }
}

/** NFTs of the C-chain without metadata. */
export function* makeTokens(count: number): Generator<object> {
  const random = new Random(17);
  for (let number = 0; number < count; number += 1)
    yield {
      evmChainId: '43114',
      address: evmAddressOf(`collection ${number % CONTRACTS}`),
      tokenId: String(Math.floor(number / CONTRACTS)),
      owner: partyOf(random, count),
      lastTransferBlock: String(number),
      lastTransferTimestamp: FIRST_SECOND + number,
      lastTransferTxHash: evmHashOf(`transfer ${number}`),
    };
}

/** Days on which balances of ERC-20 tokens changed, as many an address as counted. */
export function* makeBalances(count: number): Generator<object> {
  const random = new Random(18);
  const addresses = Math.ceil((count * counts.evm_address.rows) / counts.evm_balance.rows);
  for (let number = 0; number < count; number += 1)
    yield {
      date: new Date((FIRST_SECOND + 86_400 * Math.floor((number / count) * DAYS)) * 1000)
        .toISOString()
        .slice(0, 10),
      address: evmAddressOf(`holder ${number % addresses}`),
      balance: amountOf(random),
      // One token each, so that balances of one fall and rise.
      contractAddress: evmAddressOf(`token ${(number % addresses) % CONTRACTS}`),
    };
}

export function* makeChains(count: number): Generator<object> {
  for (let number = 0; number < count; number += 1) yield chainRow(String(1000 + number));
}

const amountOf = (random: Random) => `${1 + random.below(1e9)}${String(random.below(1e9)).padStart(9, '0')}`;
