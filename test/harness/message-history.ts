import fc from 'fast-check';
import type { NetworkScope } from '../../src/write/scope.js';
import type { RowSet } from '../../src/write/transaction.js';
import { icmMessageRows } from '../../src/resources/icm-message/import.js';
import { messageFactsRows } from '../../src/resources/icm-message/import-facts.js';
import { messageChainRows } from '../../src/resources/icm-message/import-chains.js';
import { addresses, hashAt, idOf, messageRow, reward } from './evm-rows.js';

/** One that says a part of what happened to a message: a row of either side, of both, or only an event. */
export type Saying =
  | { of: 'sent'; again: number; namesChain: boolean }
  | { of: 'received'; namesChain: boolean }
  | { of: 'both'; again: number }
  | { of: 'fee'; again: number }
  | { of: 'executed' | 'receipt' | 'chain' | 'stranger' };

export interface Said {
  /** Which message. */
  readonly number: number;
  readonly saying: Saying;
}

const [source, destination] = [idOf('the sender'), idOf('the receiver')];
const ids = { source: '1001', destination: '1002' };
const again = fc.integer({ min: 0, max: 3 });
const namesChain = fc.boolean();

/** In any order, cut into batches. */
export const histories = fc.array(
  fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 4 }),
      saying: fc.oneof(
        fc.record({ of: fc.constant('sent' as const), again, namesChain }),
        fc.record({ of: fc.constant('received' as const), namesChain }),
        fc.record({ of: fc.constant('both' as const), again }),
        fc.record({ of: fc.constant('fee' as const), again }),
        fc.record({ of: fc.constantFrom('executed', 'receipt', 'chain', 'stranger') }),
      ),
    }) as fc.Arbitrary<Said>,
    { maxLength: 4 },
  ),
  { maxLength: 8 },
);

const messageId = (number: number) => hashAt(number).slice(2);
const sending = (number: number, index: number) => ({
  txHash: hashAt(1000 * number + index),
  timestamp: 1000 * number + 10 * index,
  gasSpent: `${index + 1}`,
});
const delivery = (number: number) => ({
  txHash: hashAt(1000 * number + 500),
  timestamp: 1000 * number + 5,
  gasSpent: '7',
  rewardRedeemer: addresses[2],
  delivererAddress: addresses[3],
});
/** The reward when it was sent for the nth time; more is added between. */
const rewardAt = (index: number) => ({ ...reward, value: String(100 + index) });

/** What is said, as a set of rows of its kind. */
export function setOf({ number, saying }: Said): RowSet {
  const scope: NetworkScope = { network: 'fuji' };
  const index = 'again' in saying ? saying.again : 0;
  const set = (kind: RowSet['kind'], row: unknown): RowSet => ({
    kind,
    scope,
    rows: [kind.read(row, scope)],
  });
  const facts = (blockchainId: string, more: object) =>
    set(messageFactsRows, {
      messageId: messageId(number),
      blockchainId,
      messageExecuted: false,
      receiptDelivered: false,
      ...more,
    });
  const row = (more: object) =>
    set(icmMessageRows, {
      ...messageRow({
        messageId: messageId(number),
        messageNonce: String(number),
        sourceBlockchainId: source,
        destinationBlockchainId: destination,
        sourceEvmChainId: ids.source,
        destinationEvmChainId: ids.destination,
        ...more,
      }),
    });
  switch (saying.of) {
    case 'sent':
      return row({
        sourceTransaction: sending(number, index),
        rewardDetails: rewardAt(index),
        destinationEvmChainId: saying.namesChain ? ids.destination : '0',
      });
    case 'received':
      return row({
        sourceTransaction: undefined,
        destinationTransaction: delivery(number),
        sourceEvmChainId: saying.namesChain ? ids.source : '0',
      });
    case 'both':
      return row({
        sourceTransaction: sending(number, index),
        destinationTransaction: delivery(number),
        rewardDetails: rewardAt(index),
        messageExecuted: true,
      });
    case 'fee':
      return facts(source, { rewardDetails: rewardAt(index) });
    case 'executed':
      return facts(destination, { messageExecuted: true });
    case 'receipt':
      return facts(source, { receiptDelivered: true });
    case 'chain':
      return set(messageChainRows, { blockchainId: source, evmChainId: ids.source });
    case 'stranger':
      // Another chain, which has no say in it.
      return facts(idOf('a stranger'), {
        messageExecuted: true,
        receiptDelivered: true,
        rewardDetails: rewardAt(9),
      });
  }
}

/** What must be shown of each message after all of it, by id: whatever came first. */
export function shownOf(said: readonly Said[]): Map<string, object> {
  const shown = new Map<string, object>();
  const knowsSource = said.some(
    ({ saying }) =>
      ['sent', 'both', 'chain'].includes(saying.of) || (saying.of === 'received' && saying.namesChain),
  );
  const knowsDestination = said.some(
    ({ saying }) =>
      saying.of === 'received' || saying.of === 'both' || (saying.of === 'sent' && saying.namesChain),
  );
  for (const number of new Set(said.map((one) => one.number))) {
    const all = said.filter((one) => one.number === number).map(({ saying }) => saying);
    const is = (...of: Saying['of'][]) => all.filter((one) => of.includes(one.of));
    const sent = is('sent', 'both').map((one) => (one as { again: number }).again);
    const fees = is('sent', 'both', 'fee').map((one) => (one as { again: number }).again);
    const delivered = is('received', 'both').length > 0;
    if (sent.length === 0 && !delivered) continue;
    shown.set(messageId(number), {
      sourceTransaction: sent.length > 0 ? sending(number, Math.min(...sent)) : undefined,
      destinationTransaction: delivered ? delivery(number) : undefined,
      reward: fees.length > 0 ? rewardAt(Math.max(...fees)).value : '0',
      messageExecuted: is('both', 'executed').length > 0,
      receiptDelivered: is('receipt').length > 0,
      status: !delivered ? 'pending' : sent.length > 0 ? 'delivered' : 'delivered_source_not_indexed',
      sourceEvmChainId: knowsSource ? ids.source : '0',
      destinationEvmChainId: knowsDestination ? ids.destination : '0',
    });
  }
  return shown;
}
