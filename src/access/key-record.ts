import type { ApiKey } from '../generated/prisma/client.js';
import type { Database } from '../storage/prisma.js';
import { knownRights, type Right } from './plans.js';

/** A key as it is stored: everything but the key itself. */
export interface ApiKeyRecord {
  id: number;
  name: string;
  plan: string;
  /** null: every right of the plan. */
  rights: readonly Right[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
  /** Up to half a minute late; null: never. */
  lastUsedAt: Date | null;
}

export type KeyDatabase = Pick<Database, 'apiKey' | '$executeRaw'>;

// In the database this stands for "every right of the plan": Prisma cannot tell a null list from an empty
// one.
const allRights = '*';

export const storedRights = (rights: ApiKeyRecord['rights']) => (rights ? [...rights] : [allRights]);

/** A key as it is read. */
export function recordOf({ hash: _hash, rights, ...row }: ApiKey): ApiKeyRecord {
  return {
    ...row,
    rights: rights.includes(allRights) ? null : knownRights.filter((right) => rights.includes(right)),
  };
}
