/** What an address can own on an EVM chain: its coin, a token, NFTs of a collection. */
export interface Holding {
  evmChainId: bigint;
  kind: 'native' | 'erc20' | 'nft';
  /** 40 lower-case hex digits of the token's or collection's contract; empty for the coin. */
  contract: string;
}

/** Largest EVM chain id for which a signature can still be made (EIP-2294). */
export const MAX_EVM_CHAIN_ID = 2n ** 63n - 37n;

/** The 40 lower-case hex digits of an EVM address in any case; null for anything else. */
export function parseAddressDigits(text: string): string | null {
  return /^0x[0-9a-f]{40}$/i.test(text) ? text.slice(2).toLowerCase() : null;
}

/** A text that is different for every holding. */
export function holdingKey({ evmChainId, kind, contract }: Holding): string {
  return `${evmChainId}:${kind}:${contract}`;
}

/** The chain's own coin. */
export function nativeHolding(evmChainId: bigint): Holding {
  return { evmChainId, kind: 'native', contract: '' };
}

/** An ERC-20 token. */
export function erc20Holding(evmChainId: bigint, contract: string): Holding {
  return { evmChainId, kind: 'erc20', contract };
}

/** NFTs of one contract. */
export function nftHolding(evmChainId: bigint, contract: string): Holding {
  return { evmChainId, kind: 'nft', contract };
}
