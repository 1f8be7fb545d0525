import type { Utxo } from '../../avalanche/codec/types.js';

/** Bytes of a remembered output in addition to its encoding: the objects that were decoded from it. */
const OBJECTS_BYTES = 600;

/**
 * Outputs that were read lately, by their id. What an output is follows from its transaction's id, so that nothing here
 * can become wrong: it is kept even when a batch is thrown away. Bounded in bytes; the least used goes first.
 */
export class OutputMemory {
  private readonly outputs = new Map<string, Utxo>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  add(utxo: Utxo): void {
    if (this.outputs.has(utxo.utxoId)) return;
    this.outputs.set(utxo.utxoId, utxo);
    this.bytes += sizeOf(utxo);
    for (const [id, oldest] of this.outputs) {
      if (this.bytes <= this.mostBytes) return;
      this.outputs.delete(id);
      this.bytes -= sizeOf(oldest);
    }
  }

  get(utxoId: string): Utxo | undefined {
    const utxo = this.outputs.get(utxoId);
    if (!utxo) return undefined;
    this.outputs.delete(utxoId);
    this.outputs.set(utxoId, utxo);
    return utxo;
  }
}

const sizeOf = ({ bytes }: Utxo) => bytes.length + OBJECTS_BYTES;
