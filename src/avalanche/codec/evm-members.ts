import { wholeBytes } from './rlp.js';

/** A member of an object of an EVM's RPC that is missing or is not what it should be, for people. */
export class MemberError extends Error {}

/** Reads the members of an object as an EVM's RPC prints it: numbers and bytes in hexadecimal digits. */
export class Members {
  private readonly members: Readonly<Record<string, unknown>>;

  /** @param what it is, for people @throws MemberError */
  constructor(
    value: unknown,
    private readonly what: string,
  ) {
    if (typeof value !== 'object' || value === null) throw new MemberError(`${what} is not an object`);
    this.members = value as Readonly<Record<string, unknown>>;
  }

  /** Whether it is there, and not null. */
  has(name: string): boolean {
    return this.members[name] !== undefined && this.members[name] !== null;
  }

  list(name: string): readonly unknown[] {
    const value = this.members[name];
    if (Array.isArray(value)) return value;
    throw this.wrong(name, 'a list');
  }

  /** 0x and bytes in lower case. @param length how many there must be, if that is fixed */
  text(name: string, length?: number): string {
    return this.digitsOf(this.members[name], name, length);
  }

  /** A list of such texts. */
  texts(name: string, length: number): string[] {
    return this.list(name).map((each) => this.digitsOf(each, name, length));
  }

  /**
   * Bytes that are hashed, as `text` gives them, without 0x. `keccakOf` refuses what is no digit, in a third
   * of the time that looking for it here would take.
   */
  bytes(name: string, length?: number): string {
    return this.textOf(this.members[name], name, length).slice(2);
  }

  /** A whole number that is hashed, as RLP has it: the shortest bytes; its digits as in `bytes`. */
  shortest(name: string): string {
    const value = this.members[name];
    if (typeof value !== 'string' || !value.startsWith('0x') || value === '0x')
      throw this.wrong(name, NUMBER);
    let first = 2;
    while (value[first] === '0') first += 1;
    if (value.length - first > MOST_DIGITS) throw this.wrong(name, NUMBER);
    return wholeBytes(value.slice(first));
  }

  number(name: string, absent?: bigint): bigint {
    const value = this.members[name];
    if (value === undefined && absent !== undefined) return absent;
    if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value);
    throw this.wrong(name, NUMBER);
  }

  private digitsOf(value: unknown, name: string, length: number | undefined): string {
    const text = this.textOf(value, name, length);
    if (/^0x[0-9a-f]*$/.test(text)) return text;
    throw this.notBytes(name, length);
  }

  private textOf(value: unknown, name: string, length: number | undefined): string {
    const isRight =
      typeof value === 'string' &&
      value.startsWith('0x') &&
      (length === undefined ? value.length % 2 === 0 : value.length === 2 * length + 2);
    if (isRight) return value.toLowerCase();
    throw this.notBytes(name, length);
  }

  private notBytes(name: string, length: number | undefined): MemberError {
    return this.wrong(name, `${length ?? 'whole'} bytes in hexadecimal digits`);
  }

  private wrong(name: string, wanted: string): MemberError {
    return new MemberError(`${name} of ${this.what} is not ${wanted}`);
  }
}

/** Of a number: 32 bytes. */
const MOST_DIGITS = 64;
const NUMBER = 'a whole number in hexadecimal digits';
