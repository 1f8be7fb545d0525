import { decodeEventLog, encodeAbiParameters, keccak256, parseAbiParameters, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { adoptIdentities } from '../../src/avalanche/identity.js';
import { createApp, type TestApp } from '../harness/app.js';
import { followOnce, TELEPORTER } from '../harness/followed.js';
import { recordedLogs, recordedReads } from '../harness/log-truth.js';
import { messengerAbi, wordOf } from '../harness/message-chain.js';
import { hasRecordedNode, recordedFile, startRecordedNode } from '../harness/recorded-node.js';

type Shown = Record<string, any>;

const NO_TOKEN = `0x${'0'.repeat(40)}`;
const idOf = (word: Hex) => encodeCb58(Buffer.from(word.slice(2), 'hex'));

describe.runIf(hasRecordedNode).each(['network-a', 'network-c'] as const)(
  'messages of the C-chain of %s',
  (network) => {
    let gateway: TestApp;
    let own: string;
    let shown: Map<string, Shown>;
    const events = recordedLogs(network)
      .filter(({ address }) => address.toLowerCase() === TELEPORTER)
      .map(({ topics, data, transactionHash, receipt }) => {
        const event = decodeEventLog({
          abi: messengerAbi,
          topics: topics as [Hex, ...Hex[]],
          data: data as Hex,
        });
        const gasSpent = String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice));
        return { ...event, transaction: { txHash: transactionHash, gasSpent } };
      });
    const all = <N extends (typeof events)[number]['eventName']>(name: N) =>
      events.filter(
        (event): event is Extract<(typeof events)[number], { eventName: N }> => event.eventName === name,
      );

    beforeAll(async () => {
      const node = await startRecordedNode(network);
      gateway = await createApp();
      const given = { urls: [node.url], genesis: recordedFile(network, 'genesis.json') };
      expect(await followOnce(gateway.storage, { ...given, only: ['messages'] })).toEqual([]);
      await node.close();
      const [identity] = await gateway.storage.prisma.followNetwork.findMany();
      own = identity!.cChainId;
      shown = new Map();
      for (let pageToken = ''; ;) {
        const { body } = await gateway.get(`/v1/icm/messages?network=fuji&pageSize=50${pageToken}`);
        const page = body as { messages: Shown[]; nextPageToken?: string };
        for (const message of page.messages) shown.set(`0x${message['messageId']}`, message);
        if (!page.nextPageToken) break;
        pageToken = `&pageToken=${page.nextPageToken}`;
      }
    });
    afterAll(async () => {
      await gateway.close();
      adoptIdentities({});
    });

    const idFor = (source: Hex, destination: Hex, nonce: bigint) =>
      keccak256(
        encodeAbiParameters(parseAbiParameters('address, bytes32, bytes32, uint256'), [
          ...([TELEPORTER, source, destination, nonce] as const),
        ]),
      );

    test('are those that its messenger sent and received, each under the id of its contract, chains and nonce', () => {
      const sent = all('SendCrossChainMessage').map(({ args }) =>
        idFor(wordOf(own), args.destinationBlockchainID, args.message.messageNonce),
      );
      const received = all('ReceiveCrossChainMessage').map(({ args }) =>
        idFor(args.sourceBlockchainID, wordOf(own), args.message.messageNonce),
      );
      expect(sent.length).toBeGreaterThan(20);
      expect(received.length).toBeGreaterThan(20);
      expect(new Set(shown.keys())).toEqual(new Set([...sent, ...received]));
    });

    test('sent: the first transaction, what it said, and all that was added', () => {
      for (const [index, { args, transaction }] of all('SendCrossChainMessage').entries()) {
        const before = all('SendCrossChainMessage').slice(0, index);
        if (before.some((event) => event.args.messageID === args.messageID)) continue;
        const message = shown.get(args.messageID)!;
        const fees = [
          ...all('SendCrossChainMessage')
            .filter((event) => event.args.messageID === args.messageID)
            .map((event) => event.args.feeInfo),
          ...all('AddFeeAmount')
            .filter((event) => event.args.messageID === args.messageID)
            .map((event) => event.args.updatedFeeInfo),
        ];
        const largest = fees.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
        // The recorded contract takes any token; TeleporterMessenger only adds to what it has.
        const hasOneToken = fees.every(
          ({ feeTokenAddress }) => feeTokenAddress === args.feeInfo.feeTokenAddress,
        );
        const rewardDetails = { address: args.feeInfo.feeTokenAddress, value: String(largest) };
        expect(message).toMatchObject({
          sourceBlockchainId: own,
          destinationBlockchainId: idOf(args.destinationBlockchainID),
          from: args.message.originSenderAddress,
          to: args.message.destinationAddress,
          data: args.message.message,
          status: 'pending',
          sourceTransaction: transaction,
          messageNonce: String(args.message.messageNonce),
          ...(hasOneToken && { rewardDetails }),
          receiptDelivered: all('ReceiptReceived').some((event) => event.args.messageID === args.messageID),
          messageExecuted: false,
        });
        expect(message['receipts']).toEqual(
          args.message.receipts.map(({ receivedMessageNonce, relayerRewardAddress }) => ({
            receivedMessageNonce: String(receivedMessageNonce),
            relayerRewardAddress,
          })),
        );
      }
    });

    test('received: who delivered it, and whether it was executed at last', () => {
      for (const { args, transaction } of all('ReceiveCrossChainMessage')) {
        expect(shown.get(args.messageID)).toMatchObject({
          sourceBlockchainId: idOf(args.sourceBlockchainID),
          destinationBlockchainId: own,
          destinationTransaction: {
            ...transaction,
            rewardRedeemer: args.rewardRedeemer,
            delivererAddress: args.deliverer,
          },
          status: 'delivered_source_not_indexed',
          messageExecuted: all('MessageExecuted').some((event) => event.args.messageID === args.messageID),
        });
      }
    });

    test('the tokens of rewards have the names that their contracts say', () => {
      const names = recordedReads(network, '0x06fdde03');
      let named = 0;
      for (const message of shown.values()) {
        const { address, name } = message['rewardDetails'] as { address: string; name: string };
        const word = names.get(`${address.toLowerCase()} `);
        if (address === NO_TOKEN || !word) continue;
        named += 1;
        const length = Number(`0x${word.slice(66, 130)}`);
        expect(name).toBe(Buffer.from(word.slice(130, 130 + 2 * length), 'hex').toString());
      }
      expect(named).toBeGreaterThan(5);
    });
  },
);

test.runIf(!hasRecordedNode)('no recorded network lies in ../shared/node', () => {
  expect(hasRecordedNode).toBe(false);
});
