import { evmChainIds } from '../src/avalanche/networks.js';
import type { NftHoldingLine } from '../src/resources/evm-holding/import.js';
import type { NftTokenLine } from '../src/resources/nft/import.js';
import { balanceDays } from './balances.js';
import { Blocks } from './blocks.js';
import { account } from './evm-parties.js';
import { evmAddressOf, evmHashOf } from './ids.js';
import { seededRandom, type Random } from './random.js';

const HOLDERS = 70;

/** Collections of the fuji C-chain; their contracts exist only in the sample. */
export const collections = [
  { address: evmAddressOf('collection of lanterns'), tokens: 90 },
  { address: evmAddressOf('collection of summits'), tokens: 45 },
] as const;

/**
 * The positions of Uniswap v3 on the C-chain mainnet: a contract that exists and returns its metadata itself,
 * so that with network access there is something to reindex. The sample does not say who owns these tokens.
 */
const realCollection = '0x655C406EBFa14EE2006250925e54ec43AD184f8B';
const realTokenIds = ['1', '100', '1000'];

interface Token extends Omit<NftTokenLine, 'evmChainId' | 'address'> {
  contractAddress: string;
  owner: string;
}

export interface Nfts {
  /** A row only on the days on which a count changed. */
  holdings: NftHoldingLine[];
  /** Each token as its last transfer left it. */
  tokens: NftTokenLine[];
}

/** Thirty days of mints and transfers, and the resulting holdings and tokens, which agree. */
export function makeNfts(): Nfts {
  const random = seededRandom('nfts');
  const blocks = new Blocks();
  const tokens = new Map<string, Token>();
  const counts = new Map<string, number>();
  const holdings: NftHoldingLine[] = [];
  for (const [day, date] of balanceDays.entries()) {
    const before = new Map(counts);
    for (const transfer of transfersOf(random, day)) move(transfer, tokens, counts, blocks);
    for (const [key, tokenCount] of counts) {
      const [contractAddress = '', address = ''] = key.split(' ');
      if (tokenCount !== (before.get(key) ?? 0))
        holdings.push({ date, contractAddress, address, tokenCount });
    }
  }
  return { holdings, tokens: [...tokens.values()].map(tokenRow).concat(realTokens()) };
}

interface Transfer {
  contractAddress: string;
  tokenId: string;
  to: string;
  timestamp: number;
}

/** The transfers of a day, in order: on the first everything is minted. */
function transfersOf(random: Random, day: number): Transfer[] {
  const midnight = Date.UTC(2026, 9, 1 + day) / 1000;
  const wanted = collections.flatMap(({ address, tokens }) =>
    Array.from({ length: tokens }, (_, index) => ({
      contractAddress: address,
      tokenId: (index + 1).toString(),
    })),
  );
  return wanted
    .filter(() => day === 0 || random.chance(0.05))
    .map((token, index) => ({
      ...token,
      to: account(random.int(0, HOLDERS - 1)).address,
      timestamp: midnight + index * 300 + random.int(0, 240),
    }));
}

function move(
  transfer: Transfer,
  tokens: Map<string, Token>,
  counts: Map<string, number>,
  blocks: Blocks,
): void {
  const { contractAddress, tokenId, to, timestamp } = transfer;
  const key = `${contractAddress} ${tokenId}`;
  const add = (owner: string, count: number) => {
    const holding = `${contractAddress} ${owner}`;
    counts.set(holding, (counts.get(holding) ?? 0) + count);
  };
  const previous = tokens.get(key);
  if (previous) add(previous.owner, -1);
  add(to, 1);
  tokens.set(key, {
    contractAddress,
    tokenId,
    owner: to,
    lastTransferBlock: blocks.at('c', timestamp).number ?? '0',
    lastTransferTimestamp: timestamp,
    lastTransferTxHash: evmHashOf(`transfer of ${key} at ${timestamp}`),
  });
}

function tokenRow({ contractAddress, ...rest }: Token): NftTokenLine {
  return { evmChainId: evmChainIds.fuji.toString(), address: contractAddress, ...rest };
}

function realTokens(): NftTokenLine[] {
  return realTokenIds.map((tokenId) => ({
    evmChainId: evmChainIds.mainnet.toString(),
    address: realCollection,
    tokenId,
  }));
}
