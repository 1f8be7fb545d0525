import { readFrequentId } from './ids.js';
import { LEAST_OUTPUT, outputTypes, readOutput } from './outputs.js';
import { readWhole, type ByteReader } from './reader.js';
import { Draft, type Rules } from './transaction.js';
import { LEAST_OPERATION, readOperation } from './x-operation.js';
import type { XBody, XTransaction } from './x-types.js';

const rules: Rules = {
  outputs: [outputTypes.transfer],
  stakeableInputs: false,
  credentials: { 9: 'secp256k1', 14: 'nft', 19: 'property' },
};

const { mint, transfer, nftMint, nftTransfer, propertyMint, propertyOwned } = outputTypes;
const stateOutputs = [mint, transfer, nftMint, nftTransfer, propertyMint, propertyOwned];

/** A signed transaction of the X-chain, as avm.getTx gives it. */
export function decodeXTransaction(bytes: Uint8Array): XTransaction {
  return readWhole('the transaction', bytes, (reader) => {
    reader.version('a transaction');
    return readXTransaction(reader);
  });
}

/** The same without codec version, as it stands in a block. */
export function readXTransaction(reader: ByteReader): XTransaction {
  const draft = new Draft(reader, rules);
  const type = reader.u32('type of a transaction');
  const read = bodyOfType[type];
  if (!read) return reader.refuse(`an X-chain transaction of type 0 to ${bodies.length - 1}, not ${type}`, 4);
  const base = draft.readBase();
  const body = read(reader, draft);
  return { base, ...draft.seal(), ...body };
}

const CREATE_ASSET = 1;

/** At the index of their type id (avalanchego vms/avm/txs/codec.go). */
const bodies = [
  () => ({ type: 'BaseTx' }),
  (reader, draft) => readNewAsset(reader, draft),
  (reader, draft) => {
    const operations = reader.list('operations', LEAST_OPERATION, () => readOperation(reader, draft));
    return { type: 'OperationTx', operations };
  },
  (reader, draft) => {
    const sourceChain = readFrequentId(reader, 'source chain');
    draft.readInputs('imported');
    return { type: 'ImportTx', sourceChain };
  },
  (reader, draft) => {
    const destinationChain = readFrequentId(reader, 'destination chain');
    draft.readOutputs('exported');
    return { type: 'ExportTx', destinationChain };
  },
] satisfies ((reader: ByteReader, draft: Draft) => XBody)[];

type Read = ReturnType<(typeof bodies)[number]>;

/** Does not compile where the union has a type that nothing reads. */
const bodyOfType: readonly ((reader: ByteReader, draft: Draft) => XBody)[] &
  Record<Exclude<XBody['type'], Read['type']>, never> = bodies;

/** Name and initial outputs of an asset whose id is the transaction's. */
function readNewAsset(reader: ByteReader, draft: Draft) {
  const name = reader.text('name of an asset');
  const symbol = reader.text('symbol of an asset');
  const denomination = reader.u8('denomination of an asset');
  reader.list('initial states', 8, () => {
    reader.u32('feature extension of an initial state');
    reader.list('initial outputs', LEAST_OUTPUT, () => {
      draft.outputs.push({ ...readOutput(reader, stateOutputs), assetIdBytes: null, role: 'asset' });
    });
  });
  return { type: 'CreateAssetTx' as const, name, symbol, denomination };
}

/** A CreateAssetTx of X's genesis, which has neither type id nor credentials there. */
export function readGenesisAsset(reader: ByteReader): XTransaction {
  const draft = new Draft(reader, rules);
  const base = draft.readBase();
  const body = readNewAsset(reader, draft);
  return { base, ...draft.sealGenesis(CREATE_ASSET), ...body };
}
