import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from './prisma.js';

/** The identity of this installation; keys of page tokens are derived from it. */
export interface Installation {
  /** A UUID. */
  id: string;
  /** 32 random bytes; never shown. */
  secret: Buffer;
}

/** The installation's identity, made on first use; processes that start together use the same. */
export async function loadInstallation({
  installation,
}: Pick<Database, 'installation'>): Promise<Installation> {
  const find = () => installation.findFirst({ select: { id: true, secret: true } });
  let found = await find();
  if (!found) {
    const data = { id: randomUUID(), secret: new Uint8Array(randomBytes(32)) };
    await installation.createMany({ data, skipDuplicates: true });
    found = await find();
  }
  if (!found) throw new Error('the installation row vanished while it was made');
  return { id: found.id, secret: Buffer.from(found.secret) };
}
