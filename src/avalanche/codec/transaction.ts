import { encodeCb58 } from '../cb58.js';
import { frequentId, readFrequentId, readIdBytes, sha256, utxoIdOf } from './ids.js';
import { LEAST_OUTPUT, outputAt, readOutput, type TypedOutput } from './outputs.js';
import type { ByteReader } from './reader.js';
import type { Base, Credential, Input, InputRole, OutputRole, Transaction } from './types.js';
import { concat, u32Bytes } from './writer.js';

/** Type ids that P, X and C share. */
export const TRANSFER_INPUT = 5;
const STAKEABLE_INPUT = 21;

const LEAST_PRODUCED = 32 + LEAST_OUTPUT;
const LEAST_INPUT = 32 + 4 + 32 + 16;
/** Smallest transaction: AdvanceTimeTx without credentials. */
export const LEAST_TRANSACTION = 16;

/** What the chains differ in. */
export interface Rules {
  /** Type ids of outputs that a transaction's own lists can have. */
  readonly outputs: readonly number[];
  /** Whether an input can have the lock of a stakeable output. */
  readonly stakeableInputs: boolean;
  readonly credentials: Readonly<Record<number, Credential['kind']>>;
}

interface DraftOutput extends TypedOutput {
  readonly role: OutputRole;
  /** Null for the asset that the transaction itself makes. */
  readonly assetIdBytes: Uint8Array | null;
}

/** A transaction while it is read: ids of its outputs follow from its last byte only. */
export class Draft {
  readonly inputs: Input[] = [];
  readonly outputs: DraftOutput[] = [];
  readonly #start: number;

  constructor(
    readonly reader: ByteReader,
    readonly rules: Rules,
  ) {
    this.#start = reader.offset;
  }

  readBase(): Base {
    const { reader } = this;
    const networkId = reader.u32('network id');
    const blockchainId = readFrequentId(reader, 'blockchain id');
    this.readOutputs('own');
    this.readInputs('own');
    return { networkId, blockchainId, memo: reader.sized('memo') };
  }

  readOutputs(role: OutputRole): void {
    const { reader } = this;
    reader.list('outputs', LEAST_PRODUCED, () => {
      const assetIdBytes = readIdBytes(reader, 'asset id of an output');
      this.outputs.push({ assetIdBytes, role, ...readOutput(reader, this.rules.outputs) });
    });
  }

  readInputs(role: InputRole): void {
    this.reader.list('inputs', LEAST_INPUT, () => {
      this.inputs.push(readInput(this.reader, role, this.rules));
    });
  }

  /** Reads the credentials at the end of a transaction, and returns what every transaction has. */
  seal(): Transaction {
    const { reader, rules } = this;
    const credentials = reader.list('credentials', 8, () => readCredential(reader, rules));
    return this.#sealed([reader.bytes.subarray(this.#start, reader.offset)], credentials);
  }

  /**
   * The same for a transaction of X's genesis. The genesis has neither its type id nor its credentials, but
   * its id is the hash of bytes that have both.
   */
  sealGenesis(type: number): Transaction {
    const { reader } = this;
    const fields = reader.bytes.subarray(this.#start, reader.offset);
    return this.#sealed([u32Bytes(type), fields, u32Bytes(0)], []);
  }

  #sealed(parts: readonly Uint8Array[], credentials: readonly Credential[]): Transaction {
    const bytes = concat([Uint8Array.of(0, 0), ...parts]);
    const txIdBytes = sha256(bytes);
    const txId = encodeCb58(txIdBytes);
    const outputs = this.outputs.map((draft, outputIndex) => {
      const output = { txIdBytes, txId, outputIndex, assetIdBytes: draft.assetIdBytes ?? txIdBytes };
      return { role: draft.role, ...outputAt(output, draft) };
    });
    return { id: txId, bytes, inputs: this.inputs, outputs, credentials };
  }
}

function readInput(reader: ByteReader, role: InputRole, rules: Rules): Input {
  const consumed = readConsumed(reader);
  const assetId = frequentId(readIdBytes(reader, 'asset id of an input'));
  let type = reader.u32('type of an input');
  let stakeableLocktime: bigint | null = null;
  if (rules.stakeableInputs && type === STAKEABLE_INPUT) {
    stakeableLocktime = reader.u64('locktime of a stakeable input');
    type = reader.u32('type of a locked input');
  }
  if (type !== TRANSFER_INPUT) return reader.refuse(`a transfer input (type 5), not type ${type}`, 4);
  const amount = reader.u64('amount of an input');
  readSignatureIndices(reader);
  return { assetId, amount, stakeableLocktime, role, ...consumed };
}

/** The output that an input names. */
export function readConsumed(reader: ByteReader): Pick<Input, 'txId' | 'outputIndex' | 'utxoId'> {
  const txIdBytes = readIdBytes(reader, 'transaction id of an input');
  const outputIndex = reader.u32('output index of an input');
  return { txId: encodeCb58(txIdBytes), outputIndex, utxoId: utxoIdOf(txIdBytes, outputIndex) };
}

/** Which owners sign; nothing that is stored depends on it. */
export function readSignatureIndices(reader: ByteReader): void {
  reader.list('signature indices', 4, () => reader.u32('signature index'));
}

function readCredential(reader: ByteReader, rules: Rules): Credential {
  const type = reader.u32('type of a credential');
  const kind = rules.credentials[type];
  if (!kind) {
    const known = Object.keys(rules.credentials).join(', ');
    return reader.refuse(`a credential of type ${known}, not ${type}`, 4);
  }
  const signatures = reader.list('signatures', 65, () => reader.take(65, 'signature'));
  return { kind, signatures };
}
