import { EVM_MAX } from '../../avalanche/evm.js';
import { columnOf } from '../../fields/column.js';
import { is, small, text, uri, type Details, type NodeOf } from '../../fields/field.js';
import { asDigits, asMember, asObject, asText, asWhole, ifGiven } from '../../rows/check.js';

export const chainStatuses = ['OK', 'UNAVAILABLE'] as const;
export const vmNames = ['EVM', 'BITCOIN', 'ETHEREUM'] as const;
export const chainFeatures = ['nftIndexing', 'webhooks', 'teleporter'] as const;

export type ChainFeature = (typeof chainFeatures)[number];

/** The members of a chain's token. */
export const networkTokenFields = {
  name: is(text, 'Full name'),
  symbol: is(text, 'Short name'),
  decimals: is(small, 'Number of decimals of the token: one token is 10^decimals of its smallest unit'),
  logoUri: is(uri, 'URL of the logo', 'where unknown'),
  description: is(text, 'Description of the token', 'where unknown'),
} satisfies Details;

export type NetworkTokenNode = NodeOf<typeof networkTokenFields>;

export const asEvmChainId = asDigits(EVM_MAX);
export const asStatus = asMember(chainStatuses);
export const asVmName = asMember(vmNames);
export const asFeature = asMember(chainFeatures);
const asDecimals = asWhole(255n);

/** A text that is never NULL in the database: '' means unknown. */
export const asTextOrNone = (value: unknown, name: string) => ifGiven(asText, value, name);

/** JSON of a chain's token. */
export function asNetworkToken(value: unknown, name: string): string {
  const token = asObject<NetworkTokenNode>(value, name);
  const logoUri = ifGiven(asText, token.logoUri, `${name}.logoUri`);
  const description = ifGiven(asText, token.description, `${name}.description`);
  return JSON.stringify({
    name: asText(token.name, `${name}.name`),
    symbol: asText(token.symbol, `${name}.symbol`),
    decimals: Number(asDecimals(token.decimals, `${name}.decimals`)),
    ...(logoUri !== null && { logoUri }),
    ...(description !== null && { description }),
  });
}

/** A column of `chain c` that an import fills. */
export const c = <const Name extends string, T>(
  name: Name,
  type: string,
  read: (value: unknown, name: string) => T,
) => columnOf('c', name, type, read);
