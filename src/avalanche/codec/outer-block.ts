import { ripemd160 } from '@noble/hashes/legacy.js';
import { concat } from './writer.js';
import { nodeIdOf, readIdBytes, sha256 } from './ids.js';
import { readWhole, type ByteReader } from './reader.js';

/** A block as ProposerVM puts it around a block of a chain. */
export interface OuterBlock {
  /** The bytes of the chain's own block. */
  readonly inner: Uint8Array;
  /** Null of one that nobody signed. */
  readonly signed: SignedBlock | null;
}

export interface SignedBlock {
  /** The proposer's, X.509 in DER. */
  readonly certificate: Uint8Array;
  readonly signature: Uint8Array;
  /** What was signed, without the chain: see `signedBytes`. */
  readonly parent: Uint8Array;
  readonly id: Uint8Array;
}

const SIGNED = 0;
const OPTION = 1;
const GRANITE = 2;

/**
 * A block of a node's index since Apricot 4 (avalanchego vms/proposervm/block). Before, the index has the
 * chain's own blocks.
 *
 * @throws CodecError
 */
export function decodeOuterBlock(bytes: Uint8Array): OuterBlock {
  return readWhole('the outer block', bytes, (reader) => {
    reader.version('an outer block');
    const type = reader.u32('type of an outer block');
    if (type === OPTION) {
      readIdBytes(reader, 'parent of an outer block');
      return { inner: reader.sized('inner block'), signed: null };
    }
    if (type !== SIGNED && type !== GRANITE)
      return reader.refuse(`an outer block of type 0 to 2, not ${type}`, 4);
    return readSigned(reader, type === GRANITE);
  });
}

function readSigned(reader: ByteReader, hasEpoch: boolean): OuterBlock {
  const parent = readIdBytes(reader, 'parent of an outer block');
  reader.u64('time of an outer block');
  reader.u64('P-chain height of an outer block');
  const certificate = reader.sized('certificate');
  const inner = reader.sized('inner block');
  // The height, the number and the start of the epoch.
  if (hasEpoch) reader.take(24, 'epoch');
  // The id is that of the bytes before the signature.
  const id = sha256(reader.bytes.subarray(0, reader.offset));
  const signature = reader.sized('signature');
  const signed = certificate.length === 0 ? null : { certificate, signature, parent, id };
  return { inner, signed };
}

/** What the proposer of a block signed. @param chainId of the chain */
export const signedBytes = ({ parent, id }: SignedBlock, chainId: Uint8Array): Uint8Array =>
  // The version of the codec, and three ids.
  concat([new Uint8Array(2), chainId, parent, id]);

/** The node that has a certificate. */
export const nodeOfCertificate = (certificate: Uint8Array): string =>
  nodeIdOf(ripemd160(sha256(certificate)));
