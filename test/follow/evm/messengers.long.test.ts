import { getAddress, toEventSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { icmMessageId } from '../../../src/avalanche/icm.js';
import { startAlteredNode } from '../../harness/altered-node.js';
import { hasAnvil } from '../../harness/anvil.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { assemble } from '../../harness/evm-code.js';
import { excerptGenesis, startExcerptNode } from '../../harness/excerpt-node.js';
import { followOnce, followUntilWaiting, startFollowing, TELEPORTER } from '../../harness/followed.js';
import {
  chainsOfL1s,
  logsEvent,
  MessageChain,
  messengerV2Abi,
  WARP,
  wordOf,
} from '../../harness/message-chain.js';
import type { ScriptedNode } from '../../harness/scripted-node.js';

const [here, there] = chainsOfL1s;
const another = `0x${'7e'.repeat(20)}` as const;
/** A contract that is no messenger of ours. */
const stranger = `0x${'5a'.repeat(20)}` as const;
const account = `0x${'ab'.repeat(20)}` as const;
/** Where a TeleporterMessengerV2 is. */
const second = `0x${'2b'.repeat(20)}` as const;

/** A message to the other chain, as its sender's messenger logs it. */
function sending(nonce: bigint, contract: string, change: object = {}, feeToken = `0x${'0'.repeat(40)}`) {
  const ids = { source: here.blockchainId, destination: there.blockchainId };
  return logsEvent('SendCrossChainMessage', {
    messageID: `0x${icmMessageId({ contract, ...ids, nonce: String(nonce) })}`,
    destinationBlockchainID: wordOf(there.blockchainId),
    message: {
      messageNonce: nonce,
      originSenderAddress: account,
      destinationAddress: account,
      destinationBlockchainID: wordOf(there.blockchainId),
      requiredGasLimit: 1n,
      allowedRelayerAddresses: [],
      receipts: [],
      message: '0x',
      ...change,
    },
    feeInfo: { feeTokenAddress: feeToken, amount: 0n },
  });
}

/** The same, as TeleporterMessengerV2 logs it. @param origin the contract that it names as its own */
function sendingV2(nonce: bigint, origin = second) {
  const ids = { source: here.blockchainId, destination: there.blockchainId };
  const values = {
    messageID: `0x${icmMessageId({ contract: second, ...ids, nonce: String(nonce) })}`,
    destinationBlockchainID: wordOf(there.blockchainId),
    message: {
      messageNonce: nonce,
      originSenderAddress: account,
      originTeleporterAddress: origin,
      destinationBlockchainID: wordOf(there.blockchainId),
      destinationAddress: another,
      requiredGasLimit: 1n,
      allowedRelayerAddresses: [],
      receipts: [],
      message: '0x1234',
    },
    feeInfo: { feeTokenAddress: `0x${'0'.repeat(40)}`, amount: 0n },
  };
  return logsEvent('SendCrossChainMessage', values, messengerV2Abi);
}

describe.runIf(hasAnvil)('messengers of an EVM chain', () => {
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let chain: MessageChain;
  let gateway: TestApp;
  const altered: ScriptedNode[] = [];

  beforeAll(async () => {
    node = await startExcerptNode();
    chain = await MessageChain.start(here);
    await chain.deployMessenger(another);
    await chain.deployMessenger(stranger);
    gateway = await createApp();
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), chain.anvil.close(), node.close()]);
    await Promise.all(altered.map((each) => each.close()));
    adoptIdentities({});
  });

  const given = (url: string, more: object = {}) => ({
    urls: [node.url],
    genesis: excerptGenesis,
    only: ['c-atomic' as const],
    l1: [url],
    ...more,
  });
  const follow = (url: string, more: object = {}) => followOnce(gateway.storage, given(url, more));
  const fresh = async () => {
    await gateway.close();
    gateway = await createApp();
  };
  async function listed(): Promise<Record<string, any>[]> {
    const { body } = await gateway.get('/v1/icm/messages?network=fuji&pageSize=100');
    return (body as { messages: Record<string, any>[] }).messages;
  }
  const noncesOf = (messages: Record<string, any>[]) =>
    messages.map((one) => one['messageNonce'] as string).toSorted();

  test('are those that the operator names and the usual one, and no other contract', async () => {
    await chain.run(sending(1n, TELEPORTER));
    await chain.run(sending(2n, another), another);
    await chain.run(sending(3n, stranger), stranger);
    expect(await follow(chain.anvil.url)).toEqual([]);
    expect(noncesOf(await listed())).toEqual(['1']);
    await fresh();
    expect(await follow(chain.anvil.url, { teleporters: [TELEPORTER, another] })).toEqual([]);
    expect(noncesOf(await listed())).toEqual(['1', '2']);
  });

  test('TeleporterMessengerV2 at an address that the operator names: what it sends has its own event, and what it receives that of the first version', async () => {
    // As its bindings in icm-services say it.
    expect(toEventSelector(messengerV2Abi[0])).toBe(
      '0x14d9f96bda232881a6460c5fca942a64c8f5babfc75ae626b27caff9fa7ce7d1',
    );
    await fresh();
    await chain.deployMessenger(second);
    const sent = await chain.run(sendingV2(21n), second);
    const ids = { source: there.blockchainId, destination: here.blockchainId };
    const messageID = `0x${icmMessageId({ contract: second, ...ids, nonce: '22' })}`;
    const sourceBlockchainID = wordOf(there.blockchainId);
    const received = await chain.run(
      [
        ...logsEvent('ReceiveCrossChainMessage', {
          messageID,
          sourceBlockchainID,
          deliverer: account,
          rewardRedeemer: another,
          message: {
            messageNonce: 22n,
            originSenderAddress: account,
            destinationAddress: another,
            destinationBlockchainID: wordOf(here.blockchainId),
            requiredGasLimit: 1n,
            allowedRelayerAddresses: [],
            receipts: [],
            message: '0x',
          },
        }),
        ...logsEvent('MessageExecuted', { messageID, sourceBlockchainID }),
      ],
      second,
    );
    expect(await follow(chain.anvil.url, { teleporters: [second] })).toEqual([]);
    const messages = await listed();
    expect(noncesOf(messages)).toEqual(['21', '22']);
    const shown = new Map(messages.map((one) => [one['messageNonce'] as string, one]));
    expect(shown.get('21')).toMatchObject({
      icmContractAddress: getAddress(second),
      data: '0x1234',
      status: 'pending',
      sourceTransaction: sent,
      from: getAddress(account),
      to: getAddress(another),
    });
    const ends = { rewardRedeemer: getAddress(another), delivererAddress: getAddress(account) };
    expect(shown.get('22')).toMatchObject({
      icmContractAddress: getAddress(second),
      messageExecuted: true,
      destinationTransaction: { ...received, ...ends },
    });
  });

  test('a TeleporterMessengerV2 that sends in the name of another contract is none', async () => {
    await fresh();
    const snapshot = await chain.anvil.call('evm_snapshot');
    await chain.run(sendingV2(23n, another), second);
    const said = /it sent the message 0x\w{64} in the name of the contract 0x7[eE]/;
    await followUntilWaiting(gateway.storage, given(chain.anvil.url, { teleporters: [second] }), said);
    expect(await listed()).toEqual([]);
    await chain.anvil.call('evm_revert', snapshot);
  });

  test('a contract that says it is on another chain is none, and one that says it is on this one may be', async () => {
    await fresh();
    const snapshot = await chain.anvil.call('evm_snapshot');
    const says = (blockchainId: string) =>
      chain.run(logsEvent('BlockchainIDInitialized', { blockchainID: wordOf(blockchainId) }), second);
    await says(here.blockchainId);
    expect(await follow(chain.anvil.url, { teleporters: [second] })).toEqual([]);
    await says(there.blockchainId);
    const said = new RegExp(`it names its chain ${there.blockchainId}, and this one is ${here.blockchainId}`);
    await followUntilWaiting(gateway.storage, given(chain.anvil.url, { teleporters: [second] }), said);
    await chain.anvil.call('evm_revert', snapshot);
  });

  test('a chain that nobody knows has the EVM chain id 0, until the P-chain says it', async () => {
    await fresh();
    expect(await follow(chain.anvil.url)).toEqual([]);
    const [before] = await listed();
    expect(before).toMatchObject({ sourceEvmChainId: String(here.evmChainId), destinationEvmChainId: '0' });
    expect(await follow(chain.anvil.url, { only: ['p'] })).toEqual([]);
    expect(await follow(chain.anvil.url)).toEqual([]);
    await chain.anvil.call('evm_mine');
    expect(await follow(chain.anvil.url)).toEqual([]);
    const [after] = await listed();
    expect(after).toMatchObject({ destinationEvmChainId: String(there.evmChainId) });
  });

  test('a token that says nothing of itself is asked once for all messages of a batch that name it', async () => {
    await fresh();
    const tokens = ['d1', 'd2'].map((byte) => `0x${byte.repeat(20)}`);
    const steps = [101n, 102n, 103n, 104n].flatMap((nonce, index) =>
      sending(nonce, TELEPORTER, {}, tokens[index % 2]),
    );
    await chain.run(steps);
    const watched = await startAlteredNode(chain.anvil.url, () => null);
    altered.push(watched);
    expect(await follow(watched.url)).toEqual([]);
    expect(noncesOf(await listed())).toEqual(['1', '101', '102', '103', '104']);
    const calls = watched.asked.filter(({ method }) => method === 'eth_call');
    const called = calls.map(({ params }) => (params as [{ to: string; data: string }])[0]);
    const ofTokens = called.filter(({ to }) => tokens.includes(to)).map(({ to, data }) => `${to} ${data}`);
    expect(ofTokens).toHaveLength(6);
    expect(new Set(ofTokens).size).toBe(6);
  });

  test.each([undefined, '0x1', `0x${'f'.repeat(40)}`])(
    'what gas cost follows from transactions and base fees, whatever receipts say of its price: %s',
    async (effectiveGasPrice) => {
      const whole = await listed();
      await fresh();
      const other = await startAlteredNode(chain.anvil.url, ({ method }, { result }) =>
        method === 'eth_getBlockReceipts'
          ? { result: (result as object[]).map((each) => ({ ...each, effectiveGasPrice })) }
          : null,
      );
      altered.push(other);
      expect(await follow(other.url, { only: ['p'] })).toEqual([]);
      const shown = await listed();
      expect(shown.map((one) => one['sourceTransaction'])).toEqual(
        whole.map((one) => one['sourceTransaction']),
      );
    },
  );

  test('data that are longer than 256 KiB are left out, and the rest of the message is stored', async () => {
    await fresh();
    await chain.run(sending(4n, TELEPORTER, { message: `0x${'00'.repeat(300_000)}` }));
    expect(await follow(chain.anvil.url)).toEqual([]);
    const long = (await listed()).find((one) => one['messageNonce'] === '4');
    expect(long).toMatchObject({ status: 'pending', from: getAddress(account) });
    expect(long).not.toHaveProperty('data');
  });

  test('a chain without a blockchain id waits where messages begin, and says why', async () => {
    await fresh();
    await chain.anvil.call('anvil_setCode', WARP, '0x');
    const following = await startFollowing(
      gateway.storage,
      given(chain.anvil.url, { node: { patienceMs: 50 } }),
    );
    const logs = () => following.views.find(({ name }) => name === `messages:${here.evmChainId}`);
    await expect
      .poll(() => logs()?.note, { timeout: 20_000 })
      .toMatch(/the blockchain id of chain 62642 is unknown/);
    await following.stop();
    // The P-chain knows it too.
    expect(await follow(chain.anvil.url, { only: ['p'] })).toEqual([]);
    expect(noncesOf(await listed())).toContain('1');
  });

  test('a node that says a wrong blockchain id: its messages have other ids, and nothing is stored', async () => {
    await fresh();
    const wrong = assemble(wordOf(there.blockchainId), 0, 'MSTORE', 32, 0, 'RETURN');
    await chain.anvil.call('anvil_setCode', WARP, `0x${wrong}`);
    const said = /would have the id [0-9a-f]{64}\. Leave it out of --teleporter, or the node says/;
    const notes = await followUntilWaiting(gateway.storage, given(chain.anvil.url), said);
    expect(Object.keys(notes)).toEqual([`messages:${here.evmChainId}`]);
    expect(await listed()).toEqual([]);
  });
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
