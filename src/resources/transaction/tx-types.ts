import { sqlTexts, transactionTypes, typesWhere } from '../../avalanche/chain/transactions.js';
import type { NamesWhere, TransactionTypeName } from '../../avalanche/chain/transactions.js';
import type { PrimaryChain } from '../../avalanche/networks.js';

/** A type as replies name it (docs/contract.md, "Closed value sets"). */
export type TxType = NamesWhere<'isPublished', true>;

/** The types that replies name. */
export const allTypes: readonly TxType[] = typesWhere('isPublished', true);

/** The types that the stored rows of a published one have: of UNKNOWN also those that replies cannot name. */
export function storedTypes(type: TxType): readonly TransactionTypeName[] {
  return type === 'UNKNOWN' ? [type, ...unpublished] : [type];
}

const unpublished = typesWhere('isPublished', false);

/** SQL of the type that replies name, of the one that is stored. */
export const publishedType = (column: string) =>
  `CASE WHEN ${column} IN (${sqlTexts(unpublished)}) THEN 'UNKNOWN' ELSE ${column} END`;

export function isTypeOn(chain: PrimaryChain, type: TransactionTypeName): boolean {
  const chains: readonly PrimaryChain[] = transactionTypes[type].chains;
  return chains.includes(chain);
}

const inAnyCase = new Map(
  (Object.keys(transactionTypes) as TransactionTypeName[]).map((type) => [type.toLowerCase(), type]),
);

/** The type as it is stored, read in any case: UNKNOWN for one that the chain does not have. */
export function toStoredType(chain: PrimaryChain, text: string): TransactionTypeName {
  const type = inAnyCase.get(text.toLowerCase());
  return type !== undefined && isTypeOn(chain, type) ? type : 'UNKNOWN';
}
