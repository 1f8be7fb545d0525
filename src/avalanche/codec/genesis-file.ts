import { bech32 } from '@scure/base';
import { decodeCb58 } from '../cb58.js';

/** What is wrong with a genesis file, for people. */
export class GenesisError extends Error {}

/** Coins of an owner until a time: unlocked ones have locktime 0. */
export interface Locked {
  readonly amount: bigint;
  readonly locktime: bigint;
}

export interface Allocation {
  /** 20 bytes each. */
  readonly ethAddress: Uint8Array;
  readonly address: Uint8Array;
  /** nAVAX on the X-chain. */
  readonly initialAmount: bigint;
  /** Outputs on the P-chain. */
  readonly unlockSchedule: readonly Locked[];
}

export interface InitialStaker {
  /** 20 bytes each. */
  readonly nodeId: Uint8Array;
  readonly rewardAddress: Uint8Array;
  /** Parts of a million. */
  readonly delegationFee: number;
  /** 48 and 96 bytes; null where the file names none. */
  readonly signer: { readonly publicKey: Uint8Array; readonly proof: Uint8Array } | null;
}

/** avalanchego's genesis file (avalanchego genesis/unparsed_config.go). Times are seconds. */
export interface GenesisFile {
  readonly networkId: number;
  readonly allocations: readonly Allocation[];
  readonly startTime: bigint;
  readonly initialStakeDuration: bigint;
  readonly initialStakeDurationOffset: bigint;
  /** Addresses whose outputs are staked. */
  readonly initialStakedFunds: readonly Uint8Array[];
  readonly initialStakers: readonly InitialStaker[];
  readonly cChainGenesis: string;
  readonly message: string;
}

/**
 * Reads the genesis file of a network.
 *
 * @param json its JSON with exact whole numbers, as parseJson reads it: amounts exceed 2^53
 * @throws GenesisError
 */
export function readGenesisFile(json: unknown): GenesisFile {
  const file = new Member('the genesis file', json);
  return {
    networkId: Number(file.get('networkID').whole(32n)),
    allocations: file.get('allocations').list(readAllocation),
    startTime: file.get('startTime').whole(),
    initialStakeDuration: file.get('initialStakeDuration').whole(),
    initialStakeDurationOffset: file.get('initialStakeDurationOffset').whole(),
    initialStakedFunds: file.get('initialStakedFunds').list((item) => item.address()),
    initialStakers: file.get('initialStakers').list(readStaker),
    cChainGenesis: file.get('cChainGenesis').text(),
    message: file.get('message').text(0xffff),
  };
}

function readAllocation(item: Member): Allocation {
  return {
    ethAddress: item.get('ethAddr').hex(20),
    address: item.get('avaxAddr').address(),
    initialAmount: item.get('initialAmount').whole(),
    unlockSchedule: item.get('unlockSchedule').list((locked) => ({
      amount: locked.get('amount').whole(),
      locktime: locked.get('locktime').whole(),
    })),
  };
}

function readStaker(item: Member): InitialStaker {
  const signer = item.get('signer');
  return {
    nodeId: item.get('nodeID').nodeId(),
    rewardAddress: item.get('rewardAddress').address(),
    delegationFee: Number(item.get('delegationFee').whole(32n)),
    signer: signer.missing
      ? null
      : { publicKey: signer.get('publicKey').hex(48), proof: signer.get('proofOfPossession').hex(96) },
  };
}

/** A value of the file with its path, which errors name. A missing one is 0, "" or empty, as for nodes. */
class Member {
  constructor(
    readonly path: string,
    readonly value: unknown,
  ) {}

  get missing(): boolean {
    return this.value === undefined || this.value === null;
  }

  get(name: string): Member {
    const { value, path } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.#refuse('an object');
    const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    return new Member(`${name} of ${path}`, own);
  }

  list<T>(item: (member: Member) => T): T[] {
    if (this.missing) return [];
    if (!Array.isArray(this.value)) return this.#refuse('a list');
    return this.value.map((value: unknown, index) =>
      item(new Member(`item ${index} of ${this.path}`, value)),
    );
  }

  whole(bits = 64n): bigint {
    const { value } = this;
    if (this.missing) return 0n;
    const whole = typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as number) : -1n;
    return whole >= 0n && whole < 2n ** bits ? whole : this.#refuse(`a whole number below 2^${bits}`);
  }

  text(mostBytes = Infinity): string {
    if (this.missing) return '';
    const { value } = this;
    if (typeof value !== 'string') return this.#refuse('a text');
    return Buffer.byteLength(value) <= mostBytes ? value : this.#refuse(`at most ${mostBytes} bytes long`);
  }

  hex(length: number): Uint8Array {
    const digits = /^0x([0-9a-f]*)$/i.exec(this.text())?.[1];
    if (digits?.length !== length * 2) return this.#refuse(`${length} bytes in hexadecimal digits with 0x`);
    return Buffer.from(digits, 'hex');
  }

  address(): Uint8Array {
    const decoded = bech32.decodeUnsafe(this.text().replace(/^[PXC]-/, ''));
    const bytes = decoded && bech32.fromWordsUnsafe(decoded.words);
    return bytes?.length === 20 ? bytes : this.#refuse('an address such as X-avax1…');
  }

  nodeId(): Uint8Array {
    const bytes = decodeCb58(this.text().replace(/^NodeID-/, ''));
    return bytes?.length === 20 ? bytes : this.#refuse('a node id such as NodeID-…');
  }

  #refuse(expected: string): never {
    throw new GenesisError(`${this.path} is not ${expected}`);
  }
}
