/** The alias of a chain by its blockchain id; the id itself where no indexed chain has it. */
export type AliasOf = (blockchainId: string) => string;

/** A chain as it is written in words: `P-chain` of the alias `p-chain`. */
export const chainName = (alias: string) =>
  alias.replace(/^[pxc](?=-chain$)/, (letter) => letter.toUpperCase());

/** @param statuses of the chains of the network; null where they could not be read */
export const aliasesOf =
  (statuses: readonly { blockchainId: string; blockchainAlias: string }[] | null | undefined): AliasOf =>
  (id) =>
    statuses?.find(({ blockchainId }) => blockchainId === id)?.blockchainAlias ?? id;
