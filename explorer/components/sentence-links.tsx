import type { AliasOf } from '../chains.js';
import type { MovedOutputFragment, TransactionWordsFragment } from '../generated/graphql.js';
import type { Moved } from '../moved.js';
import { addressPath, assetPath, l1ValidatorPath, subnetPath, validatorPath } from '../paths.js';
import { Amount } from './amount.js';
import { letterOf } from './badge.js';
import { Name, shortId, Time } from './text.js';

/** What a sentence of a transaction is made of. */
export type InWords = TransactionWordsFragment & {
  consumedUtxos: Outputs;
  emittedUtxos: Outputs;
};
interface Outputs {
  pageInfo: { hasNextPage: boolean };
  nodes: MovedOutputFragment[];
}

export interface Words {
  of: InWords;
  moved: Moved;
  aliasOf: AliasOf;
}

/** A chain in few words: its letter, if it is one of the three. */
export const chainWord = (aliasOf: AliasOf, id: string | null | undefined) =>
  id ? letterOf(aliasOf(id)) || shortId(id) : 'another chain';

/** A link in a sentence, without a button: what it leads to has one. */
export const Link = ({ id, href }: { id: string; href: string }) => (
  <a class="ref" href={href} title={id}>
    {shortId(id)}
  </a>
);
export const Node = ({ of: { network, nodeId } }: { of: Pick<InWords, 'network' | 'nodeId'> }) =>
  nodeId ? <Link id={nodeId} href={validatorPath(network, nodeId)} /> : <>a node</>;
/** The subnet that it names, or the one of the L1 whose validators it changes. */
export const Subnet = ({ of: { network, subnetId, l1ValidatorDetails } }: { of: InWords }) => {
  const id = subnetId ?? l1ValidatorDetails?.[0]?.subnetId;
  return id ? <Link id={id} href={subnetPath(network, id)} /> : <>a subnet</>;
};

type Amounts = readonly InWords['amountStaked'][number][];

export const Sums = ({ of, isMore = false }: { of: Amounts; isMore?: boolean }) =>
  of.length === 0 ? (
    <>an unknown amount</>
  ) : (
    <>
      {isMore && 'more than '}
      {of.slice(0, 2).map((asset, index) => (
        <>
          {index > 0 && ' and '}
          <Amount key={asset.assetId} amount={asset.amount} asset={asset} />
        </>
      ))}
      {of.length > 2 && ` and ${of.length - 2} more assets`}
    </>
  );

export const Until = ({ of: { endTimestamp } }: { of: InWords }) =>
  endTimestamp ? (
    <>
      , until <Time seconds={endTimestamp} isDay />
    </>
  ) : null;

/** A stake in the primary network is of AVAX; in another subnet the subnet is named. */
export const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY';
export const InSubnet = ({ of }: { of: InWords }) =>
  of.subnetId && of.subnetId !== PRIMARY_NETWORK ? (
    <>
      {' '}
      in <Subnet of={of} />
    </>
  ) : null;

export const People = ({ network, addresses }: { network: string; addresses: readonly string[] }) => {
  const [first] = addresses;
  if (!first) return <>nobody</>;
  return (
    <>
      <Link id={first} href={addressPath(network, first)} />
      {addresses.length > 1 && ` and ${addresses.length - 1} more`}
    </>
  );
};

/** The L1 validators that a transaction changed: one by its id, several by their number. */
export function Validations({ of: { network, l1ValidatorDetails } }: { of: InWords }) {
  const [first] = l1ValidatorDetails ?? [];
  if (!first) return <>an L1 validator</>;
  const rest = (l1ValidatorDetails?.length ?? 0) - 1;
  return (
    <>
      L1 validator <Link id={first.validationId} href={l1ValidatorPath(network, first.validationId)} />
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}

/** An asset by its name. */
export const assetOf = ({ network }: InWords, asset: Words['moved']['assets'][number] | undefined) =>
  asset ? (
    <a href={assetPath(network, asset.assetId)}>
      <Name text={asset.name || asset.symbol || shortId(asset.assetId)} />
    </a>
  ) : (
    'an asset'
  );

/** A sentence of a stake, by its first words. */
export const staking =
  (what: string, where: string) =>
  ({ of }: Words) => (
    <>
      {what} of <Sums of={of.amountStaked} /> {where} <Node of={of} />
      <InSubnet of={of} />
      <Until of={of} />
    </>
  );

/** A sentence of what goes to another chain, by its first word. */
export const crossing =
  (verb: string) =>
  ({ of, moved, aliasOf }: Words) => (
    <>
      {verb} of <Sums of={moved.amounts} isMore={moved.isMore} /> from{' '}
      {chainWord(aliasOf, of.sourceChain ?? of.blockchainAlias)} to{' '}
      {chainWord(aliasOf, of.destinationChain ?? of.blockchainAlias)}
    </>
  );
