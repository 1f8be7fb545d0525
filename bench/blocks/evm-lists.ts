import { readArguments } from '../../src/arguments/argument.js';
import { collectionOwnerList, tokenBalanceList } from '../../src/resources/evm-holding/list.js';
import { icmMessageListArguments, partyMessageArguments } from '../../src/resources/icm-message/arguments.js';
import { icmMessageList } from '../../src/resources/icm-message/list.js';
import { addressList, partyMessageList } from '../../src/resources/icm-message/party-list.js';
import {
  chainInternalTxArguments,
  internalTxListArguments,
} from '../../src/resources/internal-tx/arguments.js';
import { chainInternalTxList, internalTxList } from '../../src/resources/internal-tx/list.js';
import { ownedTokenArguments } from '../../src/resources/nft/arguments.js';
import { nftTokenList, ownedTokenList } from '../../src/resources/nft/list.js';
import { addressAt, chainAt, evmIdAt } from '../../test/harness/generated-evm.js';
import { ask, type ListCase } from './lists.js';

const evmChainId = '7';
const blocks = { startBlock: '1', endBlock: '999999999' };
const collection = addressAt(1000);

export function evmLists(): ListCase[] {
  const frames = { evmChainId, address: addressAt(1) };
  const ownedBy = { evmChainId, owner: addressAt(1) };
  return [
    ...messageLists(),
    ask(internalTxList, 'of an address', { ...frames, ...readArguments(internalTxListArguments, {}) }),
    ask(internalTxList, 'of an address within blocks', {
      ...frames,
      ...readArguments(internalTxListArguments, blocks),
    }),
    ask(chainInternalTxList, 'of a chain', {
      evmChainId,
      ...readArguments(chainInternalTxArguments, {}),
    }),
    ask(chainInternalTxList, 'of a chain within blocks', {
      evmChainId,
      ...readArguments(chainInternalTxArguments, blocks),
    }),
    ask(nftTokenList, 'of a collection', { evmChainId: BigInt(evmChainId), address: collection }),
    ask(ownedTokenList, 'of an owner', { ...ownedBy, ...readArguments(ownedTokenArguments, {}) }),
    ask(ownedTokenList, 'of an owner and collection', {
      ...ownedBy,
      ...readArguments(ownedTokenArguments, { collection }),
    }),
    ask(collectionOwnerList, 'of a collection', { evmChainId, address: collection }),
    ask(tokenBalanceList, 'of an address', { evmChainId, address: addressAt(2), contractAddresses: null }),
  ];
}

function messageLists(): ListCase[] {
  const [source, destination] = [{ sourceBlockchainId: chainAt(1) }, { destinationBlockchainId: chainAt(2) }];
  const [from, to] = [{ from: addressAt(1) }, { to: addressAt(2) }];
  const status = { status: 'pending' };
  const times = { since: '1700000000', until: '1800000000' };
  const filtered: [asked: string, filters: object][] = [
    ['of all networks', {}],
    ['of a network', { network: 'mainnet' }],
    ['from a chain', source],
    ['to a chain', destination],
    ['of a chain', { blockchainId: chainAt(1) }],
    ['from an address', from],
    ['to an address', to],
    ['from a chain and address to others', { ...source, ...destination, ...from, ...to }],
    ['within times', times],
    ['of a status', status],
    ['of a status from a chain', { ...status, ...source }],
    ['of a status of a chain', { ...status, blockchainId: chainAt(1) }],
  ];
  const party = { evmChainId: evmIdAt(1), address: addressAt(1) };
  return [
    ...filtered.map(([asked, filters]) =>
      ask(icmMessageList, asked, readArguments(icmMessageListArguments, { ...filters })),
    ),
    ask(
      addressList,
      'of an address on all chains',
      readArguments(icmMessageListArguments, { address: addressAt(1) }),
    ),
    ask(partyMessageList, 'of an address', { ...party, ...readArguments(partyMessageArguments, {}) }),
    ask(partyMessageList, 'that an address sent', {
      ...party,
      ...readArguments(partyMessageArguments, { direction: 'sent' }),
    }),
    ask(partyMessageList, 'of an address within times', {
      ...party,
      ...readArguments(partyMessageArguments, times),
    }),
  ];
}
