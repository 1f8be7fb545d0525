import { addressBytes, formatAddress } from './address.js';
import { identityOf, publicIdentities } from './identity.js';

/**
 * A text of documentation for the present networks. Where another network is shown as fuji, its ids and
 * addresses replace fuji's, so that patterns accept them and examples work.
 *
 * @param text with the ids, the example addresses and the patterns of addresses of the public networks
 */
export function documentedNow(text: string): string {
  const [known, now] = [publicIdentities.fuji, identityOf('fuji')];
  if (now === known) return text;
  return text
    .replaceAll(known.blockchainIds.x, now.blockchainIds.x)
    .replaceAll(known.blockchainIds.c, now.blockchainIds.c)
    .replaceAll(known.nativeAssetId, now.nativeAssetId)
    .replaceAll(new RegExp(`\\b${known.evmChainId}\\b`, 'g'), String(now.evmChainId))
    .replaceAll(new RegExp(`\\b${known.hrp}1[02-9ac-hj-np-z]{38}\\b`, 'g'), (address) =>
      formatAddress('fuji', addressBytes(address)),
    )
    .replaceAll(`|${known.hrp})1`, `|${now.hrp})1`)
    .replaceAll(`|${known.hrp.toUpperCase()})1`, `|${now.hrp.toUpperCase()})1`);
}
