import type { Hex } from 'viem';
import { networkOf } from '../../avalanche/networks.js';
import { loadRow } from '../../graphql/row-loader.js';
import type { IcmMessageNode } from '../icm-message/fields.js';
import { findIcmMessages } from '../icm-message/list.js';
import type { InternalTxNode } from '../internal-tx/fields.js';
import { findCollections, findNftTokens } from '../nft/list.js';
import { indexed, MOST_PLACES, orUnknown } from './candidate.js';
import { chainsOfAddress, evmChainsOf, framesOf, messageOf } from './evm-signs-loaders.js';
import type { Candidates, Search } from './fields.js';
import { ofBlockHash } from './ledger-loaders.js';
import { chainsOfToken } from './store.js';

/** What an EVM address is: an address on each chain that knows it, and a collection of NFTs. */
export async function ofEvmAddress(address: Hex, search: Search): Candidates {
  const chains = await evmChainsOf(search);
  const [addresses, collections] = await Promise.all([
    chainsOfAddress(address, chains, search),
    findCollections(
      search.context.storage,
      [...chains.keys()].map((evmChainId) => ({ evmChainId: BigInt(evmChainId), address })),
    ),
  ]);
  const known = addresses.map((chain) => {
    const scope = { network: networkOf(chain.isTestnet), evmChainId: chain.chainId };
    const row = { chain, evmChainId: chain.chainId, address };
    return indexed('EVM_ADDRESS', address, scope, { type: 'EvmAddress', row });
  });
  const contracts = collections.flatMap((row) => {
    if (!row) return [];
    const evmChainId = String(row.evmChainId);
    const scope = { network: chains.get(evmChainId) ?? null, evmChainId };
    return [indexed('NFT_COLLECTION', address, scope, { type: 'NftCollection', row })];
  });
  return [
    ...orUnknown('EVM_ADDRESS', address, search.networks, known),
    ...orUnknown('NFT_COLLECTION', address, search.networks, contracts.slice(0, MOST_PLACES)),
  ];
}

/** What a token of a contract is on each chain. */
export async function ofToken(address: Hex, tokenId: string, search: Search): Candidates {
  const chains = await evmChainsOf(search);
  const { context, networks } = search;
  const held = await chainsOfToken(context.storage, [...chains.keys()], address, tokenId);
  const rows = await Promise.all(
    held.slice(0, MOST_PLACES).map((evmChainId) => {
      const key = { evmChainId: BigInt(evmChainId), address, tokenId: BigInt(tokenId) };
      return loadRow(context, findNftTokens, key);
    }),
  );
  const value = `${address}:${tokenId}`;
  const found = rows.flatMap((row) => {
    if (!row) return [];
    const scope = { network: chains.get(row.evmChainId) ?? null, evmChainId: row.evmChainId };
    return [indexed('NFT_TOKEN', value, scope, { type: 'NftToken', row })];
  });
  return orUnknown('NFT_TOKEN', value, networks, found);
}

/** What 32 bytes in hex are: a transaction of an EVM chain, a block of the C-chain, a message. */
export async function ofEvmHash(hash: Hex, search: Search): Candidates {
  const all = await Promise.all([
    ofEvmTransaction(hash, search),
    ofBlockHash(hash, ['c'], search),
    ofMessageId(hash.slice(2), search),
  ]);
  return all.flat();
}

async function ofEvmTransaction(hash: Hex, search: Search): Candidates {
  const chains = await evmChainsOf(search);
  const [frames, message] = await Promise.all([
    framesOf(hash, [...chains.keys()], search),
    messageOf({ txHash: hash }, search),
  ]);
  const byFrame = frames.slice(0, MOST_PLACES).map((row: InternalTxNode) => {
    const scope = { network: chains.get(row.evmChainId) ?? null, evmChainId: row.evmChainId };
    return indexed('EVM_TRANSACTION', hash, scope, { type: 'InternalTransaction', row });
  });
  const evmChainId = message && chainOfTransaction(message, hash);
  const isKnown = byFrame.some((each) => each.evmChainId === evmChainId);
  const byMessage =
    message && !isKnown
      ? [
          indexed(
            'EVM_TRANSACTION',
            hash,
            { network: message.network, evmChainId },
            { type: 'IcmMessage', row: message },
          ),
        ]
      : [];
  return orUnknown('EVM_TRANSACTION', hash, search.networks, [...byFrame, ...byMessage]);
}

/** On which chain a message's transaction is. */
const chainOfTransaction = (message: IcmMessageNode, hash: string): string =>
  message.sourceTransaction?.txHash === hash ? message.sourceEvmChainId : message.destinationEvmChainId;

async function ofMessageId(messageId: string, { networks, context }: Search): Candidates {
  const rows = await Promise.all(
    networks.map((network) => loadRow(context, findIcmMessages, { network, messageId })),
  );
  const found = rows.flatMap((row) =>
    row ? [indexed('ICM_MESSAGE', messageId, { network: row.network }, { type: 'IcmMessage', row })] : [],
  );
  return orUnknown('ICM_MESSAGE', messageId, networks, found);
}
