import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adoptIdentities } from '../../../src/avalanche/identity.js';
import { compareTable } from '../../../src/verify/compare-tables.js';
import { tableNamed } from '../../../src/verify/tables.js';
import { hasAnvil } from '../../harness/anvil.js';
import { createApp, type TestApp } from '../../harness/app.js';
import { excerptGenesis, startExcerptNode } from '../../harness/excerpt-node.js';
import { followOnce } from '../../harness/followed.js';
import { MessageActor } from '../../harness/message-actor.js';
import { chainsOfL1s, MessageChain } from '../../harness/message-chain.js';
import { Random } from '../../harness/random.js';

const token = (digit: string, name = '', symbol = '', decimals = 0) =>
  ({ address: `0x${digit.repeat(40)}`, name, symbol, decimals }) as const;

const allMessages = `{ icmMessages(network: fuji, first: 100) { nodes {
  messageId icmContractAddress messageNonce from to data messageExecuted receiptDelivered status
  sourceBlockchainId sourceEvmChainId destinationBlockchainId destinationEvmChainId
  rewardDetails { address name symbol decimals ercType value }
  receipts { receivedMessageNonce relayerRewardAddress }
  sourceTransaction { txHash timestamp gasSpent }
  destinationTransaction { txHash timestamp gasSpent rewardRedeemer delivererAddress }
} } }`;

/** A message as the graph answers the fields above, in their order. */
function inGraph(message: Record<string, unknown>): object {
  const { sourceTransaction, destinationTransaction = null, rewardDetails, receipts, ...more } = message;
  const names = allMessages
    .match(/messageId[^{]*(?=rewardDetails)/)![0]
    .trim()
    .split(/\s+/);
  const plain = Object.fromEntries(names.map((name) => [name, more[name]]));
  return { ...plain, rewardDetails, receipts, sourceTransaction, destinationTransaction };
}

describe.runIf(hasAnvil)('messages between two EVM chains', () => {
  let node: Awaited<ReturnType<typeof startExcerptNode>>;
  let chains: [MessageChain, MessageChain];
  let actor: MessageActor;
  const gateways: TestApp[] = [];

  beforeAll(async () => {
    node = await startExcerptNode();
    chains = [await MessageChain.start(chainsOfL1s[0]), await MessageChain.start(chainsOfL1s[1])];
    for (const chain of chains) {
      await chain.makeToken(token('1').address, 'Pebble', 'PBL', 18);
      // It answers no call as a token does.
      await chain.anvil.call('anvil_setCode', token('2').address, '0x5f5ffd');
      await chain.anvil.call('anvil_setCode', token('3').address, '0xfe');
      await chain.makeToken(token('4').address, 'Night\0', '\u0001', 255);
    }
    actor = new MessageActor(
      chains,
      [
        token('0'),
        token('1', 'Pebble', 'PBL', 18),
        token('2'),
        token('3'),
        token('9'),
        token('4', 'Night\\u{0}', '\\u{1}', 255),
      ],
      new Random(7),
    );
    await actor.act(60);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await Promise.all(chains.map(({ anvil }) => anvil.close()));
    await node.close();
    adoptIdentities({});
  });

  async function gateway(): Promise<TestApp> {
    const made = await createApp();
    gateways.push(made);
    return made;
  }
  const follow = ({ storage }: TestApp, ...l1: MessageChain[]) =>
    followOnce(storage, {
      urls: [node.url],
      genesis: excerptGenesis,
      only: ['p' as const],
      l1: l1.map(({ anvil }) => anvil.url),
    });
  /** All messages by id, as REST lists them. */
  async function listed(gateway: TestApp): Promise<Map<string, Record<string, unknown>>> {
    const { body } = await gateway.get('/v1/icm/messages?network=fuji&pageSize=100');
    const { messages } = body as { messages: Record<string, unknown>[] };
    return new Map(messages.map((message) => [String(message['messageId']), message]));
  }

  test('REST and GraphQL show them as who sent and delivered them knows them', async () => {
    const both = await gateway();
    expect(await follow(both, ...chains)).toEqual([]);
    const known = actor.shown();
    expect(known.size).toBeGreaterThan(8);
    expect(await listed(both)).toEqual(known);
    const { data, errors } = await both.graphql<{ icmMessages: { nodes: object[] } }>(allMessages);
    expect(errors).toBeUndefined();
    const inOrder = (all: readonly object[]) => all.map((each) => JSON.stringify(each)).toSorted();
    expect(inOrder(data.icmMessages.nodes)).toEqual(inOrder([...known.values()].map(inGraph)));
  });

  test('whichever chain comes first, and however far each is, the same is shown at the end', async () => {
    const [one, other] = [await gateway(), await gateway()];
    expect(await follow(one, chains[0])).toEqual([]);
    expect(await follow(other, chains[1])).toEqual([]);
    await actor.act(30);
    expect(await follow(one, chains[1])).toEqual([]);
    expect(await follow(other, chains[0])).toEqual([]);
    await actor.act(10);
    for (const each of [one, other]) {
      expect(await follow(each, ...chains)).toEqual([]);
      expect(await listed(each)).toEqual(actor.shown());
    }
  });

  test('verify compares what one chain says of them, whatever the other has said', async () => {
    const [both, alone] = [await gateway(), await gateway()];
    expect(await follow(both, ...chains)).toEqual([]);
    expect(await follow(alone, chains[0])).toEqual([]);
    const compare = () =>
      both.storage.session((stored) =>
        alone.storage.session(async (proved) => {
          const scope = { network: 'fuji' as const, cEvmChainId: BigInt(chainsOfL1s[0].evmChainId) };
          await stored.query('BEGIN');
          await proved.query('BEGIN');
          const outcome = await compareTable({ stored, proved }, tableNamed('icm_message'), {
            scope,
            by: 'its blocks',
          });
          await stored.query('COMMIT');
          await proved.query('COMMIT');
          return outcome;
        }),
      );
    // Those that it sent, and those that it received.
    const { blockchainId } = chainsOfL1s[0];
    const said = [...actor.shown().values()].filter(
      (one) => one['sourceBlockchainId'] === blockchainId || one['destinationTransaction'],
    );
    expect(await compare()).toMatchObject({ compared: said.length, differences: 0 });
    const falsify = (name: string, end: string) =>
      both.storage.prisma.$executeRawUnsafe(
        `UPDATE icm_message SET details = jsonb_set(details, '{${name},gasSpent}', '"1"') WHERE id = (
           SELECT m.id FROM icm_message m JOIN icm_chain c ON c.id = m.${end}
           WHERE c.evm_chain_id = ${chainsOfL1s[0].evmChainId} AND m.details ? '${name}' LIMIT 1)`,
      );
    // Of what the other chain says, this one knows nothing.
    expect(await falsify('sourceTransaction', 'destination_id')).toBe(1);
    expect(await compare()).toMatchObject({ differences: 0 });
    expect(await falsify('sourceTransaction', 'source_id')).toBe(1);
    expect(await falsify('destinationTransaction', 'destination_id')).toBe(1);
    const { findings } = await compare();
    expect(findings.map(({ column }) => column).toSorted()).toEqual([
      'details.destinationTransaction',
      'details.sourceTransaction',
    ]);
  });
});

test.runIf(!hasAnvil)('npm has no Anvil for this machine', () => {
  expect(hasAnvil).toBe(false);
});
