import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.js';
import { inTime } from '../failure.js';
import { Abandon } from '../storage/abandon.js';
import { RequestRecord } from '../telemetry/request-record.js';
import { authenticate, keyHeader } from './authenticate.js';
import type { AuthenticateOptions, Caller, Headers } from './authenticate.js';
import { BoundedMap } from './bounded-map.js';
import { createCharge, refusal, type Charge } from './charge.js';
import { clientIdentity, parseTrustedProxies } from './client-address.js';
import { FreeAllowance } from './free-allowance.js';
import { withoutKeys } from './key.js';
import type { KeyDatabase } from './key-record.js';
import { createKeyStore, type KeyStore } from './key-store.js';
import { createLimiter, type Decision, type Limiter, type LimiterOptions } from './limiter.js';
import { resolvePlans, type Plans } from './plans.js';
import { RequestTime } from './request-time.js';

/** Whose request it is: never the owner of a key that cannot be used. */
export type KnownCaller = Exclude<Caller, { kind: 'rejected' }>;

/** A request's caller, what the request pays, and what is done for it. */
export interface Access {
  caller: KnownCaller;
  charge: Charge;
  record: RequestRecord;
  time: RequestTime;
  /** Aborted when the answer is no longer wanted: the client is gone, or its time is over. */
  abandon: Abandon;
}

/** Where a request comes from. */
export interface Sender {
  headers: Headers;
  /** The peer's address of the TCP connection. */
  remoteAddress: string | undefined;
}

/**
 * Most senders whose address is cached by what they sent, and the longest such text, characters: reading
 * addresses took 6 of the 90 µs of a request that does no work.
 */
const KNOWN_ADDRESSES = 2000;
const LONGEST_SENT = 200;
/** How long a free page waits for the first look-up of a key, milliseconds. */
const FREE_PATIENCE_MS = 50;

/** Keys, plans and limits of a process. All of its servers share one, so that they count together. */
export interface AccessControl {
  readonly plans: Plans;
  readonly keys: KeyStore;
  readonly limiter: Limiter;
  /** What is free of charge, up to a rate. */
  readonly free: FreeAllowance;
  /**
   * Finds out whose request it is, and notes the use of its key. It charges only a bad key: 1 to the sender's
   * address. An address that sent as many unknown keys as its plan allows requests gets no further look-ups
   * of keys that this process has never seen. These are counted apart from its requests, so that a caller who
   * used them up can still use a good key.
   *
   * @param free the page is for everybody: a bad key is ignored, and the database is hardly waited for
   * @throws AppError UNAUTHENTICATED for a bad key, RATE_LIMITED for too many, SERVICE_UNAVAILABLE when the
   *   look-up does not finish in the time of a request; what the database throws when it cannot be read
   */
  admit(sender: Sender, options: { free: boolean }): Promise<Access>;
  /** The same from memory only, for the headers of requests that were refused before they were admitted. */
  recall(sender: Sender): Promise<Access>;
  /** Writes the last uses of keys and leaves Redis. The database must still be open. */
  close(): Promise<void>;
}

/**
 * What the settings say about keys, plans and limits, at work.
 *
 * @throws ConfigError for wrong PLANS or TRUSTED_PROXIES
 */
export async function openAccessControl(
  config: Config,
  database: KeyDatabase,
  options: LimiterOptions,
): Promise<AccessControl> {
  const { log, now } = options;
  const plans = resolvePlans(config.PLANS);
  const isTrusted = parseTrustedProxies(config.TRUSTED_PROXIES);
  const keyHeaders = [keyHeader, config.API_KEY_HEADER];
  const limiter = await createLimiter(config, options);
  const keys = createKeyStore(database, { log, now });

  const addresses = new BoundedMap<string>(KNOWN_ADDRESSES);

  function addressOf({ headers, remoteAddress = '' }: Sender): string {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
    const sent = `${remoteAddress} ${forwarded}`;
    const known = addresses.get(sent);
    if (known !== undefined) return known;
    const address = clientIdentity(remoteAddress, forwarded, isTrusted);
    if (sent.length <= LONGEST_SENT) addresses.set(sent, address);
    return address;
  }
  function identify({ headers }: Sender, address: string, findKey: AuthenticateOptions['findKey']) {
    return authenticate(headers, address, { plans, keyHeaders, findKey, now });
  }
  function insist(decision: Decision): void {
    if (!decision.admitted) throw refusal(decision, plans.anonymous);
  }
  async function find(key: string, address: string) {
    if (keys.isSettled(key)) return keys.find(key, address);
    const guesses = `${address} keys`;
    insist(await limiter.peek(guesses, plans.anonymous));
    const record = await keys.find(key, address);
    if (!record) await limiter.consume(guesses, plans.anonymous, 1);
    return record;
  }
  // The first use of a key waits for its record, because every reply to it has rate-limit headers.
  async function findSoon(key: string, address: string) {
    const looked = find(key, address).catch(() => undefined);
    return keys.remembered(key) ?? Promise.race([looked, sleep(FREE_PATIENCE_MS, undefined, { ref: false })]);
  }
  function grant(caller: KnownCaller, time = new RequestTime(config.REQUEST_TIMEOUT_MS)): Access {
    const charge = createCharge(limiter, caller, config.COST_PER_REQUEST);
    return { caller, charge, record: new RequestRecord(withoutKeys), time, abandon: new Abandon() };
  }
  const remember = (key: string) => Promise.resolve(keys.remembered(key));

  return {
    plans,
    keys,
    limiter,
    free: new FreeAllowance(() => performance.now()),
    async admit(sender, { free }) {
      const address = addressOf(sender);
      const time = new RequestTime(config.REQUEST_TIMEOUT_MS);
      const caller = await identify(sender, address, (key) =>
        free ? findSoon(key, address) : inTime(find(key, address), time),
      );
      if (caller.kind === 'rejected' && !free) {
        insist(await limiter.consume(address, plans.anonymous, 1));
        throw caller.error;
      }
      if (caller.kind === 'key') keys.noteUse(caller.keyId);
      return grant(withoutBadKey(caller), time);
    },
    recall: async (sender) => grant(withoutBadKey(await identify(sender, addressOf(sender), remember))),
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
