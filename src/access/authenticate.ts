import { AppError } from '../errors.js';
import { keyProblem } from './key.js';
import type { ApiKeyRecord } from './key-record.js';
import type { Plan, Plans, Right } from './plans.js';

/** Whose request it is. */
export type Caller =
  | { kind: 'anonymous'; identity: string; plan: Plan; rights: readonly Right[] }
  | { kind: 'key'; identity: string; plan: Plan; rights: readonly Right[]; keyId: number }
  /** A key that cannot be used. `plan` and `identity` are the anonymous ones: free pages ignore a bad key. */
  | { kind: 'rejected'; identity: string; plan: Plan; rights: readonly Right[]; error: AppError };

export interface AuthenticateOptions {
  plans: Plans;
  /** Names of the headers that may carry a key, in lower case. */
  keyHeaders: readonly string[];
  findKey: (key: string) => Promise<ApiKeyRecord | undefined>;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Header values by lower-case name, as Node gives them. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The header of keys (docs/contract.md, "Keys and limits"); a second one is the setting API_KEY_HEADER. */
export const keyHeader = 'x-service-api-key';

/**
 * Finds out whose request it is. It never throws for what the caller sent: a bad key is returned as
 * `rejected`, and the envelope throws its error (401) unless the page is free.
 *
 * @param anonymousIdentity who the caller is without a key, see clientIdentity
 * @throws what the database throws when the key cannot be looked up
 */
export async function authenticate(
  headers: Headers,
  anonymousIdentity: string,
  options: AuthenticateOptions,
): Promise<Caller> {
  const { anonymous } = options.plans;
  const nobody = { identity: anonymousIdentity, plan: anonymous, rights: anonymous.rights };
  const [found, ...others] = sentKeys(headers, options.keyHeaders);
  if (!found) return { kind: 'anonymous', ...nobody };
  if (others.length > 0) {
    const where = [...new Set([found, ...others].map((each) => each.header))].join(' and ');
    return {
      kind: 'rejected',
      ...nobody,
      error: unauthenticated(`${where}: two different API keys were sent; send one.`),
    };
  }
  const checked = await check(found.key, options);
  if (typeof checked === 'string')
    return { kind: 'rejected', ...nobody, error: unauthenticated(`${found.header}: ${checked}`) };
  return checked;
}

/**
 * Refuses a caller who may not do something.
 *
 * @param options.keyRequired anonymous callers may not, whatever their plan says
 * @throws AppError UNAUTHENTICATED without a key where one is needed, FORBIDDEN when the right is missing
 */
export function requireRight(caller: Caller, right: Right, { keyRequired = false } = {}): void {
  if (caller.kind === 'rejected') throw caller.error;
  if (caller.kind === 'anonymous' && (keyRequired || !caller.rights.includes(right)))
    throw unauthenticated(`This requires an API key with the right ${right}; send it in ${keyHeader}.`);
  if (!caller.rights.includes(right))
    throw new AppError('FORBIDDEN', `This API key does not have the right ${right}.`);
}

async function check(key: string, { plans, findKey, now }: AuthenticateOptions): Promise<Caller | string> {
  const problem = keyProblem(key);
  if (problem === 'malformed')
    return 'the API key is malformed; a key is mrn_ followed by 36 letters and digits.';
  if (problem === 'checksum') return 'the checksum of the API key is wrong; it was mistyped or cut off.';
  const record = await findKey(key);
  if (!record) return 'the API key is unknown.';
  if (record.revokedAt) return `the API key was revoked at ${record.revokedAt.toISOString()}.`;
  if (record.expiresAt && record.expiresAt.getTime() <= now())
    return `the API key expired at ${record.expiresAt.toISOString()}.`;
  const plan = plans.find(record.plan);
  if (!plan) return `the plan ${record.plan} of the API key does not exist any more; request a new key.`;
  const rights = record.rights ? plan.rights.filter((right) => record.rights?.includes(right)) : plan.rights;
  return { kind: 'key', identity: `key:${record.id}`, plan, rights, keyId: record.id };
}

/** Different keys that were sent, with the header of each. Node joins repeated headers with commas. */
function sentKeys(headers: Headers, names: readonly string[]): { header: string; key: string }[] {
  const keys = new Map<string, { header: string; key: string }>();
  for (const header of names) {
    for (const text of [headers[header] ?? []].flat()) {
      for (const key of text.split(',').map((each) => each.trim())) {
        if (key !== '' && !keys.has(key)) keys.set(key, { header, key });
      }
    }
  }
  return [...keys.values()];
}

function unauthenticated(message: string): AppError {
  return new AppError('UNAUTHENTICATED', message);
}
