import { decodeUtxo } from '../../avalanche/codec/outputs.js';
import type { Utxo } from '../../avalanche/codec/types.js';

/**
 * Bytes of an entry in addition to the encoded output: its id of up to 51 characters, two strings and an
 * entry of a map.
 */
const ENTRY_BYTES = 160;

/**
 * Outputs that were read lately, by their id. What an output is follows from its transaction's id, so that
 * nothing here can become wrong: it is kept even when a batch is thrown away. Bounded in bytes; the least
 * used goes first. Encoded, because the decoded objects take ten times as much and keep the bytes of their
 * whole block.
 */
export class OutputMemory {
  /** Each byte is a character. */
  private readonly outputs = new Map<string, string>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  add({ utxoId, bytes }: Utxo): void {
    if (this.outputs.has(utxoId)) return;
    const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    this.outputs.set(utxoId, encoded);
    this.bytes += sizeOf(encoded);
    for (const [id, oldest] of this.outputs) {
      if (this.bytes <= this.mostBytes) return;
      this.outputs.delete(id);
      this.bytes -= sizeOf(oldest);
    }
  }

  get(utxoId: string): Utxo | undefined {
    const encoded = this.outputs.get(utxoId);
    if (encoded === undefined) return undefined;
    this.outputs.delete(utxoId);
    this.outputs.set(utxoId, encoded);
    return decodeUtxo(Buffer.from(encoded, 'latin1'));
  }
}

const sizeOf = (encoded: string) => encoded.length + ENTRY_BYTES;
