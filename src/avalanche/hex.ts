/** Bytes as hexadecimal digits in lower case, with 0x. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
