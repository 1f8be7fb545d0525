import { ask } from './ask.js';
import { identifiedDocument, numberedDocument } from './search-documents.js';
import {
  addressPath,
  assetPath,
  blockPath,
  transactionPath,
  validatorPath,
  type NetworkName,
} from './paths.js';

/** Something that a searched text is. */
export interface Hit {
  /** What it is, for people. */
  title: string;
  href: string;
}

/** The Bech32 alphabet: an address of the primary network, with or without the prefix of its chain. */
const ADDRESS = /^(?:[PXC]-)?[a-z]{1,30}1[02-9ac-hj-np-z]{38}$/i;
const NODE = /^NodeID-[1-9A-HJ-NP-Za-km-z]{20,40}$/;
const NUMBER = /^\d{1,18}$/;
/** The base 58 alphabet: 32 bytes and a checksum of 4. */
const ID = /^[1-9A-HJ-NP-Za-km-z]{40,52}$/;

/**
 * What a text is, or can be: an address or a validator by its form alone; a block number, or the id of a transaction,
 * block, asset or output
 * by what is indexed. Empty if nothing indexed has this id, undefined if the text has none of these forms.
 *
 * @throws Error with the gateway's words
 */
export async function search(network: NetworkName, text: string): Promise<Hit[] | undefined> {
  if (ADDRESS.test(text)) return [{ title: 'Address', href: addressPath(networkOfAddress(text), text) }];
  if (NODE.test(text)) return [{ title: 'Validator', href: validatorPath(network, text) }];
  if (NUMBER.test(text)) return numbered(network, text);
  if (ID.test(text)) return identified(network, text);
  return undefined;
}

/** Its prefix says so: `avax` is mainnet's alone. */
const networkOfAddress = (address: string): NetworkName =>
  /^(?:[PXC]-)?avax1/i.test(address) ? 'mainnet' : 'fuji';

async function numbered(network: NetworkName, number: string): Promise<Hit[]> {
  const { p, x, c } = await ask(numberedDocument, { network, number });
  return [p, x, c].flatMap((block) => (block ? [blockHit(network, block)] : []));
}

async function identified(network: NetworkName, id: string): Promise<Hit[]> {
  const { p, x, c, pBlock, xBlock, asset, utxo } = await ask(identifiedDocument, { network, id });
  const transactions = [p, x, c].flatMap((found) => (found ? [found] : []));
  return [
    ...transactions.map(({ blockchainAlias, txHash }) => ({
      title: `Transaction of the ${blockchainAlias}`,
      href: transactionPath(network, blockchainAlias, txHash),
    })),
    ...[pBlock, xBlock].flatMap((block) => (block ? [blockHit(network, block)] : [])),
    ...(asset ? [{ title: 'Asset', href: assetPath(network, asset.assetId) }] : []),
    ...(utxo
      ? [
          {
            title: 'Output, shown with the transaction that created it',
            href: transactionPath(network, utxo.createdOnChainId, utxo.txHash),
          },
        ]
      : []),
  ];
}

const blockHit = (network: string, block: { number: string; blockchainAlias: string }): Hit => ({
  title: `Block ${block.number} of the ${block.blockchainAlias}`,
  href: blockPath(network, block.blockchainAlias, block.number),
});
