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
    const value = this.members[name];
    const isBytes = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
    if (isBytes && (length === undefined || value.length === 2 + 2 * length)) return value.toLowerCase();
    throw this.wrong(name, `${length ?? 'whole'} bytes in hexadecimal digits`);
  }

  bytes(name: string, length?: number): Uint8Array {
    return Buffer.from(this.text(name, length).slice(2), 'hex');
  }

  number(name: string, absent?: bigint): bigint {
    const value = this.members[name];
    if (value === undefined && absent !== undefined) return absent;
    if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value);
    throw this.wrong(name, 'a whole number in hexadecimal digits');
  }

  private wrong(name: string, wanted: string): MemberError {
    return new MemberError(`${name} of ${this.what} is not ${wanted}`);
  }
}
