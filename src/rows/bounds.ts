/*
 * What a row may hold at most. The protocol bounds what is on a chain, and replies are made of rows: a text
 * that no chain could hold would be in every page around it. Genesis transactions are larger than others, and
 * have room.
 */

const KIB = 1024;
/** Bytes of a transaction: AvalancheGo's codec reads no longer ones. */
const TRANSACTION_BYTES = 256 * KIB;
/** Bytes of an owner's address, and of an output without its owners. */
const [ADDRESS_BYTES, OUTPUT_BYTES] = [20, 60];
/** Characters of bytes in hex with 0x. */
const hexOf = (bytes: number) => 2 + 2 * bytes;

/** Bytes of a text in UTF-8 that the protocol does not bound: names, URIs, descriptions. */
export const LONGEST_TEXT = 64 * KIB;
/** Items of a list that the protocol does not bound. */
export const LONGEST_LIST = 64 * KIB;
/** Of a memo, which has 256 bytes. */
export const LONGEST_MEMO = hexOf(256);
/** Of the memo of an asset's creation: a genesis has no bound; the X-chain's has 87,300 bytes. */
export const LONGEST_GENESIS_MEMO = hexOf(128 * KIB);
/** Of the encoded output of a transaction, with a checksum of 4 bytes. */
export const LONGEST_OUTPUT = hexOf(TRANSACTION_BYTES + 4);
/** Of the name and the symbol of an asset; the protocol allows 128 and 4 characters. */
export const [LONGEST_ASSET_NAME, LONGEST_ASSET_SYMBOL] = [256, 64];
/** Of a blockchain's genesis, for which the protocol allows a mebibyte: in hex, or as JSON. */
export const LONGEST_GENESIS = hexOf(KIB * KIB);
/**
 * Of an interchain message's data: its warp message has 24 KiB at most, and another messenger's log has no
 * such bound.
 */
export const MESSAGE_BYTES = 256 * KIB;
export const LONGEST_MESSAGE = hexOf(MESSAGE_BYTES);
/** Owners of an output, of a subnet or of a reward. */
export const MOST_OWNERS = Math.floor(TRANSACTION_BYTES / ADDRESS_BYTES);
/** Outputs of a transaction, or its inputs: four times what fits into one, for genesis transactions. */
export const MOST_OUTPUTS = 4 * Math.floor(TRANSACTION_BYTES / OUTPUT_BYTES);
/** Parents of a vertex, and its transactions. */
export const [MOST_PARENTS, MOST_OF_VERTEX] = [128, 1024];
/** Of the contents of an ERC-721 or ERC-1155 document; more is never read (src/resources/nft/metadata). */
export const LONGEST_DOCUMENT = 4 * KIB * KIB;
