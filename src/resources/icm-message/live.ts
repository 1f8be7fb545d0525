import type { ArgumentValues } from '../../arguments/argument.js';
import type { EvmChainName } from '../../avalanche/evm.js';
import type { LiveList } from '../../live/live-list.js';
import type { Reader } from '../../storage/reader.js';
import { findChains } from '../chain/list.js';
import { icmMessageListArguments } from './arguments.js';
import type { IcmMessageNode } from './fields.js';
import { findIcmMessages } from './list.js';

/** The arguments of the stream: those of the list. */
export const liveArguments = icmMessageListArguments;

/** A message with the EVM ids that the stored chains have at its ends, where messages may say others. */
type Message = IcmMessageNode & { known?: Readonly<Record<string, string>> };

type End = 'source' | 'destination';

const isAt = (end: End, name: EvmChainName, message: Message): boolean => {
  const blockchainId = message[`${end}BlockchainId`];
  if ('blockchainId' in name) return blockchainId === name.blockchainId;
  return [message[`${end}EvmChainId`], message.known?.[blockchainId]].includes(name.evmChainId);
};

/** The time that lists are sorted by, Unix seconds. */
const timeOf = ({ sourceTransaction, destinationTransaction }: Message) =>
  BigInt(String((sourceTransaction ?? destinationTransaction)?.timestamp ?? 0));

/** Messages that were stored first. */
export const liveMessages: LiveList<ArgumentValues<typeof liveArguments>, Message> = {
  name: 'icmMessages',
  kinds: ['icm_message'],
  async read(storage, { network, keys }) {
    if (!network) return [];
    const wanted = keys.map((messageId) => ({ network, messageId }));
    const messages = await findIcmMessages(storage, wanted);
    const known = await evmIdsOf(storage, messages);
    return messages.map((message) => message && Object.assign(message, { known }));
  },
  matches: {
    network: (value, message) => message.network === value,
    sourceBlockchainId: (value, message) => isAt('source', value, message),
    destinationBlockchainId: (value, message) => isAt('destination', value, message),
    blockchainId: (value, message) =>
      [message.sourceBlockchainId, message.destinationBlockchainId].includes(value),
    from: (value, message) => message.from === value,
    to: (value, message) => message.to === value,
    since: (value, message) => timeOf(message) >= BigInt(value),
    until: (value, message) => timeOf(message) < BigInt(value),
    txHash: (value, { sourceTransaction, destinationTransaction }) =>
      [sourceTransaction?.txHash, destinationTransaction?.txHash].includes(value),
    status: (value, message) => message.status === value,
    address: (value, { from, to }) => from === value || to === value,
  },
};

/** The EVM ids of stored chains at the ends of messages, by blockchain id. */
async function evmIdsOf(
  storage: Reader,
  messages: readonly (Message | null)[],
): Promise<Record<string, string>> {
  const ids = messages.flatMap((each) =>
    each ? [each.sourceBlockchainId, each.destinationBlockchainId] : [],
  );
  const wanted = [...new Set(ids)];
  const chains = await findChains(
    storage,
    wanted.map((blockchainId) => ({ blockchainId })),
  );
  return Object.fromEntries(
    wanted.flatMap((id, index) => {
      const chainId = chains[index]?.chainId;
      return chainId === undefined ? [] : [[id, chainId]];
    }),
  );
}
