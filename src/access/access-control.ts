import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { RequestRecord } from '../telemetry/request-record.js';
import {
  authenticate,
  keyHeader,
  type AuthenticateOptions,
  type Caller,
  type Headers,
} from './authenticate.js';
import { createCharge, type Charge } from './charge.js';
import { clientIdentity, parseTrustedProxies } from './client-address.js';
import { createKeyStore, type KeyDatabase, type KeyStore } from './key-store.js';
import { createLimiter, type Limiter } from './limiter.js';
import { resolvePlans, type Plans } from './plans.js';

/** Whose request is being answered: nobody is answered with a key that cannot be used. */
export type KnownCaller = Exclude<Caller, { kind: 'rejected' }>;

/** A request's caller, what the request pays, and what is done for it. */
export interface Access {
  caller: KnownCaller;
  charge: Charge;
  record: RequestRecord;
}

/** Where a request comes from. */
export interface Sender {
  headers: Headers;
  /** The peer's address of the TCP connection. */
  remoteAddress: string | undefined;
}

/** Keys, plans and limits of a process. All of its servers share one, so that they count together. */
export interface AccessControl {
  readonly plans: Plans;
  readonly keys: KeyStore;
  readonly limiter: Limiter;
  /**
   * Finds out whose request it is, and notes the use of its key. Nothing is charged yet.
   *
   * @param free the page is for everybody: a bad key is ignored, and so is a database that cannot be asked about it
   * @throws AppError UNAUTHENTICATED for a bad key; what the database throws when the key cannot be looked up
   */
  admit(sender: Sender, options: { free: boolean }): Promise<Access>;
  /** The same from memory alone, for the headers of requests that were refused before they were admitted. */
  recall(sender: Sender): Promise<Access>;
  /** Writes the last uses of keys and leaves Redis. The database must still be open. */
  close(): Promise<void>;
}

/**
 * What the settings say about keys, plans and limits, at work.
 *
 * @param options.now milliseconds since 1970
 * @throws ConfigError for wrong PLANS or TRUSTED_PROXIES
 */
export function openAccessControl(
  config: Config,
  database: KeyDatabase,
  { log, now }: { log: Logger; now: () => number },
): AccessControl {
  const plans = resolvePlans(config.PLANS);
  const isTrusted = parseTrustedProxies(config.TRUSTED_PROXIES);
  const keyHeaders = [keyHeader, config.API_KEY_HEADER];
  const limiter = createLimiter(config, { log, now });
  const keys = createKeyStore(database, { log, now });

  function identify({ headers, remoteAddress }: Sender, findKey: AuthenticateOptions['findKey']) {
    const forwarded = headers['x-forwarded-for'];
    const identity = clientIdentity(remoteAddress, [forwarded ?? []].flat().join(','), isTrusted);
    return authenticate(headers, identity, { plans, keyHeaders, findKey, now });
  }
  function grant(caller: KnownCaller): Access {
    return { caller, charge: createCharge(limiter, caller), record: new RequestRecord() };
  }
  const remember = (key: string) => Promise.resolve(keys.remembered(key));

  return {
    plans,
    keys,
    limiter,
    async admit(sender, { free }) {
      const caller = await identify(sender, (key) =>
        free ? keys.find(key).catch(() => keys.remembered(key)) : keys.find(key),
      );
      if (caller.kind === 'rejected' && !free) throw caller.error;
      if (caller.kind === 'key') keys.noteUse(caller.keyId);
      return grant(withoutBadKey(caller));
    },
    recall: async (sender) => grant(withoutBadKey(await identify(sender, remember))),
    async close() {
      limiter.close();
      await keys.close();
    },
  };
}

function withoutBadKey(caller: Caller): KnownCaller {
  if (caller.kind !== 'rejected') return caller;
  const { identity, plan, rights } = caller;
  return { kind: 'anonymous', identity, plan, rights };
}
