import { hash } from 'node:crypto';
import { isId } from '../../avalanche/cb58.js';
import { wrongAnswer } from './failed.js';

const CHECKSUM_BYTES = 4;

/** Reads parts of a result of one path; everything that does not fit is the endpoint's failure. */
export class AnswerReader {
  constructor(private readonly path: string) {}

  /** A member of an object. @throws Failed */
  member(value: unknown, name: string): unknown {
    if (typeof value !== 'object' || value === null) throw this.unreadable(`no ${name}`);
    return (value as Record<string, unknown>)[name];
  }

  /** An object's members. @throws Failed */
  entries(value: unknown): [string, unknown][] {
    if (typeof value !== 'object' || value === null) throw this.unreadable('an object was expected');
    return Object.entries(value);
  }

  text(value: unknown): string {
    if (typeof value !== 'string') throw this.unreadable('a text was expected');
    return value;
  }

  list(value: unknown): unknown[] {
    if (!Array.isArray(value)) throw this.unreadable('a list was expected');
    return value;
  }

  /** A whole number from 0 on, which nodes print as decimal text or as a number. */
  whole(value: unknown): bigint {
    if (typeof value === 'bigint' && value >= 0n) return value;
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    if (isNumber || (typeof value === 'string' && /^\d{1,78}$/.test(value))) return BigInt(value);
    throw this.unreadable('a whole number was expected');
  }

  /** The same for a divisor. */
  positive(value: unknown): bigint {
    const number = this.whole(value);
    if (number === 0n) throw this.unreadable('a number above 0 was expected');
    return number;
  }

  /** A network id: 32 bits. */
  networkId(value: unknown): number {
    const id = Number(this.whole(value));
    if (id >= 2 ** 32) throw this.unreadable('a network id was expected');
    return id;
  }

  /** An EVM chain id, in the EVM's form. The database has 63 bits for it. */
  chainId(value: unknown): bigint {
    const id = this.quantity(value);
    if (id === 0n || id >= 2n ** 63n) throw this.unreadable('an EVM chain id was expected');
    return id;
  }

  /** 32 bytes in CB58. */
  id(value: unknown): string {
    const text = this.text(value);
    if (!isId(text)) throw this.unreadable('an id was expected');
    return text;
  }

  /** A number that a node leaves out where it has none. */
  wholeOrNull(value: unknown): bigint | null {
    return value === undefined || value === null ? null : this.whole(value);
  }

  /** A share of at most 100 percent, which a node leaves out where it has none. */
  percentOrNull(value: unknown): string | null {
    if (value === undefined || value === null) return null;
    const text = typeof value === 'number' ? String(value) : this.text(value);
    if (/^\d{1,3}(\.\d{1,20})?$/.test(text) && Number(text) <= 100) return text;
    throw this.unreadable('a share in percent was expected');
  }

  /** A time as nodes print it, Unix seconds. */
  seconds(value: unknown): number {
    const seconds = Date.parse(this.text(value)) / 1000;
    if (!Number.isFinite(seconds)) throw this.unreadable('a time was expected');
    return Math.floor(seconds);
  }

  /** The EVM's form of numbers: 0x… */
  quantity(value: unknown): bigint {
    if (typeof value === 'string' && /^0x[\da-f]{1,64}$/i.test(value)) return BigInt(value);
    throw this.unreadable('a number in hexadecimal was expected');
  }

  /** 0x… bytes as they are. */
  hex(value: unknown): Buffer {
    const text = this.text(value);
    const bytes = Buffer.from(text.slice(2), 'hex');
    if (!text.startsWith('0x') || bytes.length * 2 + 2 !== text.length) {
      throw this.unreadable('bytes in hexadecimal were expected');
    }
    return bytes;
  }

  /** `encoding: hex`: bytes, and the last 4 bytes of their SHA-256, which are checked. */
  checked(value: unknown): Uint8Array {
    const all = this.hex(value);
    const bytes = all.subarray(0, Math.max(0, all.length - CHECKSUM_BYTES));
    const sum = hash('sha256', bytes, 'hex').slice(-2 * CHECKSUM_BYTES);
    if (all.length <= CHECKSUM_BYTES || all.toString('hex', bytes.length) !== sum) {
      throw wrongAnswer(this.path, 'checksum', '');
    }
    return bytes;
  }

  /** A result that is null where a node does not have something. */
  present(value: unknown): unknown {
    if (value === null) throw wrongAnswer(this.path, 'null', '');
    return value;
  }

  unreadable(text: string) {
    return wrongAnswer(this.path, 'shape', text);
  }
}
