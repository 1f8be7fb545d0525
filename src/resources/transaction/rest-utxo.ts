import { decodePlaced } from '../../avalanche/codec/outputs.js';
import { toHex } from '../../avalanche/hex.js';
import { addresses, hex, id, is, object, plain, small, textOf, whole } from '../../fields/field.js';
import type { NodeOf } from '../../fields/field.js';
import type { Shape } from '../../rest/shape.js';
import type { AssetAmountNode } from '../asset/fields.js';
import type { utxoFields } from '../utxo/fields.js';

/** A UTXO as its JSON text has it. */
export type UtxoJson = NodeOf<typeof utxoFields>;

const amount = object<AssetAmountNode>('AssetAmount');

/** What the bytes of an output say of an NFT; nothing for other outputs, and where the bytes are unknown. */
function nftOf({ utxoBytes }: UtxoJson): { group: number | null; payload: Uint8Array | null } {
  if (!utxoBytes) return { group: null, payload: null };
  return decodePlaced(Buffer.from(utxoBytes.slice(2, -8), 'hex')).typed.output;
}

/** How the clients want an output in a list of transactions of the X-chain or the C-chain. */
export const xUtxoShape: Shape<UtxoJson> = {
  utxoId: { ...is(id, 'Id of the output within its network'), of: (utxo) => utxo.utxoId },
  creationTxHash: {
    ...is(id, 'Hash of the transaction that the output belongs to, CB58'),
    of: (utxo) => utxo.txHash,
  },
  outputIndex: {
    ...is(textOf(), 'Position among the outputs of its transaction, from 0, as digits'),
    of: (utxo) => utxo.outputIndex,
  },
  timestamp: {
    ...is(whole, 'When the output was created, Unix seconds; 0 where unknown'),
    of: (utxo) => utxo.blockTimestamp,
  },
  addresses: {
    ...is(addresses, 'Owners, bech32 without chain prefix'),
    of: (utxo) => JSON.stringify(utxo.addresses),
  },
  threshold: {
    ...is(whole, 'Number of owners that must sign to spend the output; 0 where unknown'),
    of: (utxo) => utxo.threshold ?? 0,
  },
  locktime: {
    ...is(whole, 'Unix seconds until which the output cannot be spent; 0 for no lock, and where unknown'),
    of: (utxo) => utxo.platformLocktime ?? 0,
  },
  asset: { ...is(amount, 'The asset and the amount of it'), of: (utxo) => JSON.stringify(utxo.asset) },
  utxoType: { ...is(plain, 'What the output is for: STAKE or TRANSFER'), of: (utxo) => utxo.utxoType },
  createdOnChainId: {
    ...is(id, 'Blockchain id of the chain that created the output'),
    of: (utxo) => utxo.createdOnChainId,
  },
  consumedOnChainId: {
    ...is(id, 'Blockchain id of the chain on which the output was or can be consumed'),
    of: (utxo) => utxo.consumedOnChainId,
  },
  consumingTxHash: {
    ...is(id, 'Hash of the transaction that spent the output', 'while it is unspent'),
    of: (utxo) => utxo.consumingTxHash,
  },
  consumingTxTimestamp: {
    ...is(whole, 'When the output was spent, Unix seconds', 'while it is unspent, or where unknown'),
    of: (utxo) => utxo.consumingBlockTimestamp,
  },
  groupId: {
    ...is(small, 'Group of an NFT among those of its asset', 'for other outputs, and where unknown'),
    of: (utxo) => nftOf(utxo).group,
  },
  payload: {
    ...is(hex, 'What an NFT contains, hex with 0x', 'for other outputs, and where unknown'),
    of: (utxo) => {
      const { payload } = nftOf(utxo);
      return payload && toHex(payload);
    },
  },
  utxoBytes: {
    ...is(hex, 'The encoded output, hex with 0x and a 4-byte checksum at the end', 'where unknown'),
    of: (utxo) => utxo.utxoBytes,
  },
};
