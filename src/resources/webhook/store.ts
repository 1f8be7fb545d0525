import { randomUUID } from 'node:crypto';
import { AppError, badInput } from '../../errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Database, Transaction } from '../../storage/prisma.js';
import type { NewWebhook, WebhookStatus } from './fields.js';

/** What a webhook is about of which it knows on which side of its threshold it is. */
export interface Level {
  readonly subject: string;
  readonly isAbove: boolean;
}

/** How many webhooks a key may have, and addresses each of them. */
export interface WebhookBounds {
  readonly webhooks: number;
  readonly addresses: number;
}

type Writes = Pick<Database, '$transaction'>;

const NEWEST = Prisma.sql`coalesce((SELECT f.id FROM feed f ORDER BY f.id DESC LIMIT 1), 0)`;

/**
 * Makes a webhook, which gets the events of what is committed from now on. Where its key has as many as it
 * may, the oldest that are not active make room.
 *
 * @returns its id, a UUID
 * @throws AppError BAD_USER_INPUT when too many are active, or it has too many addresses
 */
export async function createWebhook(
  prisma: Writes,
  keyId: number,
  given: NewWebhook,
  levels: readonly Level[],
  { webhooks, addresses }: WebhookBounds,
): Promise<string> {
  insistOnFew(given.keys.length, addresses);
  const id = randomUUID();
  const { eventType, network, chain, url, name, description, metadata, keys } = given;
  await prisma.$transaction(async (transaction) => {
    await makeRoom(transaction, keyId, webhooks);
    const [made] = await transaction.$queryRaw<{ id: bigint }[]>`
      INSERT INTO webhook (public_id, key_id, event_type, network, chain, url, name, description, metadata, position)
      VALUES (${id}::uuid, ${keyId}, ${eventType}, ${network}::network, ${chain}::primary_chain, ${url}, ${name},
        ${description}, ${JSON.stringify(metadata)}::jsonb, ${NEWEST})
      RETURNING id`;
    await addSubjects(transaction, made!.id, keys, levels);
  });
  return id;
}

/** @throws AppError BAD_USER_INPUT */
async function makeRoom(transaction: Transaction, keyId: number, most: number): Promise<void> {
  // One after the other, so that two at once do not both find room.
  await transaction.$queryRaw`SELECT id FROM api_key WHERE id = ${keyId} FOR UPDATE`;
  await insistOnRoom(transaction, keyId, most);
  await transaction.$executeRaw`
    DELETE FROM webhook WHERE id IN (
      SELECT id FROM webhook WHERE key_id = ${keyId} AND NOT is_active ORDER BY id
      LIMIT greatest(0, (SELECT count(*) FROM webhook WHERE key_id = ${keyId}) - ${most - 1}))`;
}

async function insistOnRoom(transaction: Transaction, keyId: number, most: number): Promise<void> {
  const [active] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM webhook WHERE key_id = ${keyId} AND is_active`;
  if ((active?.count ?? 0) >= most)
    throw badInput(
      `status: this key has ${active?.count} active webhooks; at most ${most} are allowed. Deactivate one first`,
    );
}

function insistOnFew(count: number, most: number): void {
  if (count > most) throw badInput(`addresses: ${count} are too many for a webhook; at most ${most}`);
}

async function addSubjects(
  transaction: Transaction,
  rowId: bigint,
  keys: readonly string[],
  levels: readonly Level[],
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO webhook_subject (webhook_id, subject)
    SELECT ${rowId}, given.subject FROM unnest(${keys}::text[]) WITH ORDINALITY given(subject, nth) ORDER BY given.nth
    ON CONFLICT (webhook_id, subject) DO NOTHING`;
  await transaction.$executeRaw`
    INSERT INTO webhook_level (webhook_id, subject, is_above)
    SELECT ${rowId}, given.subject, given.is_above
    FROM unnest(${levels.map(({ subject }) => subject)}::text[], ${levels.map(({ isAbove }) => isAbove)}::boolean[])
      given(subject, is_above)
    ON CONFLICT (webhook_id, subject) DO NOTHING`;
}

/** What an update may change; null: not. */
export interface WebhookChange {
  url: string | null;
  name: string | null;
  description: string | null;
  status: WebhookStatus | null;
}

/**
 * Changes a webhook of a key. One that becomes inactive loses what was not sent; one that becomes active gets
 * what is committed from now on.
 *
 * @throws AppError NOT_FOUND; BAD_USER_INPUT when too many are active
 */
export async function updateWebhook(
  prisma: Writes,
  keyId: number,
  id: string,
  { url, name, description, status }: WebhookChange,
  most: number,
): Promise<void> {
  await prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT id FROM api_key WHERE id = ${keyId} FOR UPDATE`;
    const { rowId, isActive } = await lockWebhook(transaction, keyId, id);
    const becomes = status === null ? isActive : status === 'active';
    if (becomes && !isActive) await insistOnRoom(transaction, keyId, most);
    await transaction.$executeRaw`
      UPDATE webhook SET url = coalesce(${url}, url), name = coalesce(${name}, name),
        description = coalesce(${description}, description), is_active = ${becomes},
        position = CASE WHEN ${becomes} AND NOT is_active THEN ${NEWEST} ELSE position END
      WHERE id = ${rowId}`;
    if (!becomes && isActive) await dropEvents(transaction, rowId);
  });
}

async function dropEvents(transaction: Transaction, rowId: bigint): Promise<void> {
  await transaction.$executeRaw`DELETE FROM webhook_event WHERE webhook_id = ${rowId}`;
  await transaction.$executeRaw`
    UPDATE webhook SET queued = 0, queued_bytes = 0, failures = 0 WHERE id = ${rowId}`;
}

/** Adds addresses to a webhook of a key. @throws AppError NOT_FOUND, BAD_USER_INPUT */
export async function addAddresses(
  prisma: Writes,
  keyId: number,
  id: string,
  addresses: readonly string[],
  levels: readonly Level[],
  most: number,
): Promise<void> {
  await prisma.$transaction(async (transaction) => {
    const { rowId } = await lockWebhook(transaction, keyId, id);
    await addSubjects(transaction, rowId, addresses, levels);
    const [all] = await transaction.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM webhook_subject WHERE webhook_id = ${rowId}`;
    insistOnFew(all!.count, most);
  });
}

/**
 * Removes addresses from a webhook of a key. @throws AppError NOT_FOUND, BAD_USER_INPUT where none is left
 */
export async function removeAddresses(
  prisma: Writes,
  keyId: number,
  id: string,
  addresses: readonly string[],
): Promise<void> {
  await prisma.$transaction(async (transaction) => {
    const { rowId } = await lockWebhook(transaction, keyId, id);
    await transaction.$executeRaw`
      DELETE FROM webhook_subject WHERE webhook_id = ${rowId} AND subject = ANY(${addresses}::text[])`;
    await transaction.$executeRaw`
      DELETE FROM webhook_level WHERE webhook_id = ${rowId} AND subject = ANY(${addresses}::text[])`;
    const left = await transaction.$queryRaw<object[]>`
      SELECT 1 FROM webhook_subject WHERE webhook_id = ${rowId} LIMIT 1`;
    if (left.length === 0) throw badInput('addresses: are all that the webhook has; deactivate it instead');
  });
}

async function lockWebhook(
  transaction: Transaction,
  keyId: number,
  id: string,
): Promise<{ rowId: bigint; isActive: boolean }> {
  const [found] = await transaction.$queryRaw<{ rowId: bigint; isActive: boolean }[]>`
    SELECT id AS "rowId", is_active AS "isActive" FROM webhook
    WHERE key_id = ${keyId} AND public_id = ${id}::uuid FOR UPDATE`;
  if (!found) throw noWebhook(id);
  return found;
}

/** That a key has no such webhook. */
export const noWebhook = (id: string): AppError => new AppError('NOT_FOUND', `this key has no webhook ${id}`);
