import { decodeCb58 } from '../../../src/avalanche/cb58.js';
import type { PTransaction } from '../../../src/avalanche/codec/types.js';
import {
  concat,
  list,
  sized,
  u32Bytes as u32,
  u64Bytes as u64,
} from '../../../src/avalanche/codec/writer.js';
import type { Random } from '../random.js';
import { absurdU32, absurdU64, bytesOf } from './values.js';

const VERSION = Uint8Array.of(0, 0);
const idBytes = (text: string) => Uint8Array.from(decodeCb58(text) ?? []);

/** The fields behind the base of a transaction of this type number. */
export interface L1Fields {
  readonly type: number;
  readonly fields: readonly Uint8Array[];
}

/**
 * Transactions about validators of L1s whose managers, strangers' contracts, send the P-chain what they like.
 */
export class AbsurdL1s {
  /** Validators that were not removed. */
  private readonly validators: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly networkId: number,
    /** nAVAX that all have at most. */
    private readonly most: bigint,
  ) {}

  /** A change of a validator; a registration where none is left. */
  change(): L1Fields {
    const { random, validators } = this;
    if (validators.length === 0) return this.registration();
    const at = random.below(validators.length);
    const validationId = idBytes(validators[at]!);
    return random.one<() => L1Fields>([
      () => this.registration(),
      () => {
        const weight = absurdU64(random);
        // None removes it.
        if (weight === 0n) validators.splice(at, 1);
        const message = [u32(3), validationId, u64(absurdU64(random)), u64(weight)];
        return { type: 37, fields: [this.warp(message)] };
      },
      () => ({ type: 38, fields: [validationId, u64(1n + (absurdU64(random) % this.most))] }),
      () => ({ type: 39, fields: [validationId, u32(10), list([u32(absurdU32(random))])] }),
    ])();
  }

  /** Call it with each transaction. */
  note(transaction: PTransaction): void {
    if (transaction.type === 'ConvertSubnetToL1Tx')
      this.validators.push(...transaction.validators.map(({ validationId }) => validationId));
    if (transaction.type === 'RegisterL1ValidatorTx')
      this.validators.push(transaction.warp.message.validationId);
  }

  private registration(): L1Fields {
    const { random } = this;
    const owners = () => {
      const count = random.one([0, 1, 2, 300]);
      return concat([u32(absurdU32(random)), list(Array.from({ length: count }, () => bytesOf(random, 20)))]);
    };
    const message = [
      u32(1),
      bytesOf(random, 32),
      sized(bytesOf(random, 20)),
      bytesOf(random, 48),
      u64(absurdU64(random)),
      owners(),
      owners(),
      u64(1n + absurdU64(random) / 2n),
    ];
    return {
      type: 36,
      fields: [u64(absurdU64(random) % this.most), bytesOf(random, 96), this.warp(message)],
    };
  }

  /** The message of any contract, signed by the validators of any chain. */
  private warp(message: readonly Uint8Array[]): Uint8Array {
    const { random } = this;
    const sender = bytesOf(random, random.one([0, 20, 4096]));
    const call = concat([VERSION, u32(1), sized(sender), sized(concat([VERSION, ...message]))]);
    const signers = sized(bytesOf(random, random.one([0, 1, 125])));
    return sized(
      concat([
        VERSION,
        u32(this.networkId),
        bytesOf(random, 32),
        sized(call),
        u32(0),
        signers,
        bytesOf(random, 96),
      ]),
    );
  }
}
