import type { Builder, SchemaTypes } from './builder.js';

/**
 * Registers the connection of an object type under its usual name, `UtxoConnection` for `Utxo`, so that every
 * list of the type has the same shape.
 */
export function registerConnection(
  builder: Builder,
  type: keyof SchemaTypes['Objects'],
  plural: string,
): void {
  builder.connectionObject(
    { type, name: `${type}Connection`, description: `A page of ${plural}.` },
    { name: `${type}Edge`, description: `A row of ${plural}, with its position in the list.` },
  );
}
