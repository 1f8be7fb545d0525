import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Database } from '../../storage/prisma.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** As the published API has them: 32 bytes in hex. */
const SECRET_BYTES = 32;

/**
 * The key of the secrets at rest: that of WEBHOOK_KEY, 64 hex digits, or else one made of the installation's
 * secret, which stands in the same database.
 */
export function sealingKey(setting: string | undefined, installationSecret: Buffer): Buffer {
  if (setting !== undefined) return Buffer.from(setting, 'hex');
  return Buffer.from(hkdfSync('sha256', installationSecret, '', 'webhook secrets', SECRET_BYTES));
}

/** The secret of a key as it is stored, and the hash that the key is found by. */
export interface SealedSecret {
  readonly sealed: Uint8Array;
  readonly hash: Uint8Array;
}

/** A secret was encrypted with another WEBHOOK_KEY. */
export class SealedSecretError extends Error {}

/** The secrets with which the events of a key's webhooks are signed, encrypted at rest. */
export class WebhookSecrets {
  constructor(
    private readonly prisma: Pick<Database, '$queryRaw' | '$executeRaw'>,
    private readonly key: Buffer,
  ) {}

  /** Makes a key's secret, and forgets a former one. @returns 64 hex digits */
  async rotate(keyId: number): Promise<string> {
    const secret = randomBytes(SECRET_BYTES).toString('hex');
    const sealed = this.seal(secret, await this.hashOf(keyId));
    await this.prisma.$executeRaw`
      INSERT INTO webhook_secret (key_id, sealed) VALUES (${keyId}, ${sealed})
      ON CONFLICT (key_id) DO UPDATE SET sealed = excluded.sealed, made_at = now()`;
    return secret;
  }

  /** Makes one unless the key has one. */
  async ensure(keyId: number): Promise<void> {
    const sealed = this.seal(randomBytes(SECRET_BYTES).toString('hex'), await this.hashOf(keyId));
    await this.prisma.$executeRaw`
      INSERT INTO webhook_secret (key_id, sealed) VALUES (${keyId}, ${sealed}) ON CONFLICT (key_id) DO NOTHING`;
  }

  /**
   * A key's secret; null if it has none.
   *
   * @throws SealedSecretError when it was encrypted with another WEBHOOK_KEY
   */
  async read(keyId: number): Promise<string | null> {
    const [found] = await this.prisma.$queryRaw<SealedSecret[]>`
      SELECT s.sealed, k.hash FROM webhook_secret s JOIN api_key k ON k.id = s.key_id WHERE s.key_id = ${keyId}`;
    return found ? this.open(found) : null;
  }

  /** @returns 64 hex digits. @throws SealedSecretError as `read` */
  open({ sealed: stored, hash }: SealedSecret): string {
    const sealed = Buffer.from(stored);
    const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, NONCE_BYTES))
      .setAAD(hash)
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const secret = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('hex');
    } catch (error) {
      throw new SealedSecretError(
        'the secret of the key does not open: WEBHOOK_KEY is not the one with which it was made',
        { cause: error },
      );
    }
  }

  private async hashOf(keyId: number): Promise<Uint8Array> {
    const [key] = await this.prisma.$queryRaw<{ hash: Uint8Array }[]>`
      SELECT hash FROM api_key WHERE id = ${keyId}`;
    if (!key) throw new Error(`the key ${keyId} of a request is not stored`);
    return key.hash;
  }

  // What the key is by is authenticated too: a secret that was copied to another key's row does not open.
  private seal(secret: string, hash: Uint8Array): Uint8Array<ArrayBuffer> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(hash);
    const parts = [nonce, cipher.update(secret, 'hex'), cipher.final()];
    return new Uint8Array(Buffer.concat([...parts, cipher.getAuthTag()]));
  }
}

/**
 * Canonical JSON (RFC 8785): members sorted, no spaces. A number that JavaScript would round is a text,
 * because receivers make the same of what they parsed.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(value.toString());
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}

/** What `x-signature` says of a text: HMAC-SHA256 with the bytes of the secret, in base64. */
export const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('base64');
