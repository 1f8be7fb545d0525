import { formatAddress } from '../address.js';
import type { Output, OutputOwners } from '../codec/types.js';
import { identityOf } from '../identity.js';
import type { Network } from '../networks.js';

/**
 * What an output's bytes say of the members of its row, in addition to the ids of its place
 * (docs/contract.md, "UTXOs"); undefined: nothing.
 */
export const membersOf = ({ kind, amount, owners, stakeableLocktime }: Output, network: Network) => ({
  // An NFT's is not in its bytes.
  amount: kind === 'transfer' ? amount : undefined,
  addresses: addressesOf(network, owners),
  threshold: owners.threshold,
  platformLocktime: owners.locktime,
  stakeableLocktime,
  utxoType: stakeableLocktime === null ? ('TRANSFER' as const) : ('STAKE' as const),
});

type Members = ReturnType<typeof membersOf>;

/** The columns of `utxo` that have these members. */
export const memberColumns = {
  amount: 'amount',
  addresses: 'addresses',
  threshold: 'threshold',
  platformLocktime: 'platform_locktime',
  stakeableLocktime: 'stakeable_locktime',
  utxoType: 'utxo_type',
} as const satisfies Record<keyof Members, string>;

/** A member as PostgreSQL writes it: no lock is 0. */
export const memberText = (value: Members[keyof Members]): string =>
  Array.isArray(value) ? `{${value.join(',')}}` : String(value ?? 0);

/**
 * The members in which a row contradicts its bytes. The columns are PostgreSQL's texts; one that is NULL
 * contradicts nothing.
 */
export function contradicted(
  columns: Readonly<Record<(typeof memberColumns)[keyof Members], string | null>>,
  members: Members,
): (keyof Members)[] {
  return memberNames.filter((name) => {
    const [stored, said] = [columns[memberColumns[name]], members[name]];
    if (stored === null || said === undefined) return false;
    const text = memberText(said);
    return stored !== text && !(Array.isArray(said) && sameOwners(stored, text));
  });
}

const memberNames = Object.keys(memberColumns) as (keyof Members)[];

/** Whether two lists have the same owners, in any order. */
const sameOwners = (one: string, other: string) => ownersIn(one) === ownersIn(other);
const ownersIn = (list: string) => [...new Set(list.slice(1, -1).split(','))].sort().join();

export const addressesOf = (network: Network, owners: OutputOwners): string[] =>
  owners.addresses.map((bytes) => addressText(network, bytes));

// Owners come again and again, and bech32 takes longer than all else of this. By the hrp, which another
// identity changes.
const MOST_REMEMBERED = 10_000;
const remembered = new Map<string, string>();

function addressText(network: Network, bytes: Uint8Array): string {
  const key =
    identityOf(network).hrp + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const address = formatAddress(network, bytes);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, address);
  return address;
}
