import { encodeCb58 } from '../cb58.js';
import { idOf } from './ids.js';
import { LEAST_OUTPUT, readUtxo } from './outputs.js';
import { readPTransaction } from './p-transaction.js';
import { CodecError, readWhole } from './reader.js';
import { LEAST_TRANSACTION } from './transaction.js';
import type { Genesis, GenesisAsset, PTransaction } from './types.js';
import { readGenesisAsset } from './x-transaction.js';

/** Ids of P genesis of the public networks: the parent of their P block 0. */
export const genesisIds = {
  mainnet: 'UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk',
  fuji: 'MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3',
} as const;

/** Programs and feature extensions are named by their letters, filled up with zeros to 32 bytes. */
export function namedId(letters: string): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(Buffer.from(letters, 'latin1'));
  return bytes;
}

/** CB58 of the programs that X and C run. */
export const X_VM_ID = encodeCb58(namedId('avm'));
export const C_VM_ID = encodeCb58(namedId('evm'));

/** The P-chain's genesis bytes, whose sha256 is the parent of P block 0. */
export function decodeGenesis(bytes: Uint8Array): Genesis {
  return readWhole('the genesis', bytes, (reader) => {
    reader.version('the genesis');
    const utxos = reader.list('outputs of the genesis', 32 + 4 + 32 + LEAST_OUTPUT + 4, () => {
      const utxo = readUtxo(reader);
      reader.sized('message of an output');
      return utxo;
    });
    const transactions = () => readPTransaction(reader);
    const validators = reader.list('validators of the genesis', LEAST_TRANSACTION, transactions);
    const chains = reader.list('chains of the genesis', LEAST_TRANSACTION, transactions);
    const time = reader.seconds('time of the genesis');
    const initialSupply = reader.u64('supply of the genesis');
    const message = reader.text('message of the genesis');
    const own = {
      bytes: reader.bytes,
      id: idOf(bytes),
      utxos,
      validators,
      chains,
      time,
      initialSupply,
      message,
    };
    return { ...own, ...chainsOf(chains, reader.offset) };
  });
}

/** What the chains' own genesis says. */
function chainsOf(chains: readonly PTransaction[], offset: number) {
  const running = (vmId: string) =>
    chains.find((chain) => chain.type === 'CreateChainTx' && chain.vmId === vmId);
  const [x, c] = [running(X_VM_ID), running(C_VM_ID)];
  if (x?.type !== 'CreateChainTx' || !c) throw new CodecError(offset, 'an X-chain and a C-chain before here');
  const assets = decodeXGenesis(x.genesis);
  const [avax] = assets;
  if (!avax) throw new CodecError(offset, 'an asset of the X-chain before here');
  return {
    networkId: x.base.networkId,
    xChainId: x.id,
    cChainId: c.id,
    avaxAssetId: avax.transaction.id,
    assets,
  };
}

/** The X-chain's genesis, as the CreateChainTx of X has it. AVAX is the first asset. */
export function decodeXGenesis(bytes: Uint8Array): GenesisAsset[] {
  return readWhole('the genesis of the X-chain', bytes, (reader) => {
    reader.version('the genesis of the X-chain');
    return reader.list('assets', 60, () => {
      const alias = reader.text('alias of an asset');
      return { alias, transaction: readGenesisAsset(reader) };
    });
  });
}
