/** What a UUID of version 4 looks like, in any case. */
export const UUID_V4_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';
const UUID_V4 = new RegExp(UUID_V4_PATTERN);

/** Whether a text is a UUID of version 4. */
export const isUuid = (text: string) => UUID_V4.test(text);

/** Sixteen bytes, the most significant first. */
export function toBlock(value: bigint): Buffer {
  const block = Buffer.allocUnsafe(16);
  block.writeBigUInt64BE(value >> 64n, 0);
  block.writeBigUInt64BE(value & 0xffff_ffff_ffff_ffffn, 8);
  return block;
}

/** The number in sixteen bytes. */
export function fromBlock(block: Buffer): bigint {
  return (block.readBigUInt64BE(0) << 64n) | block.readBigUInt64BE(8);
}

/** The UUID with these 122 free bits. RFC 9562 §5.4: 48 of them, version 4, 12, variant 10, 62. */
export function toUuid(bits: bigint): string {
  const high = ((bits >> 74n) << 16n) | 0x4000n | ((bits >> 62n) & 0xfffn);
  const low = 0x8000_0000_0000_0000n | (bits & ((1n << 62n) - 1n));
  const hex = toBlock((high << 64n) | low).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The free bits of a UUID; null for what is none. */
export function fromUuid(text: string): bigint | null {
  if (!isUuid(text)) return null;
  const value = BigInt(`0x${text.replaceAll('-', '')}`);
  return ((value >> 80n) << 74n) | (((value >> 64n) & 0xfffn) << 62n) | (value & ((1n << 62n) - 1n));
}
