import type { ComponentChildren } from 'preact';
import type { AliasOf } from '../chains.js';
import type { ChainNowFragment } from '../generated/graphql.js';
import { movedBy } from '../moved.js';
import { transactionPath } from '../paths.js';
import { ChainBadge } from './badge.js';
import { Icon } from './icon.js';
import {
  assetOf,
  crossing,
  Node,
  People,
  staking,
  Subnet,
  Sums,
  Until,
  Validations,
  type InWords,
  type Words,
} from './sentence-links.js';
import { Age, Id, Name } from './text.js';
import { typeWords } from './types.js';

const [stake, delegation] = [staking('Stake', 'on'), staking('Delegation', 'to')];

function transfer({ of: { network }, moved }: Words) {
  if (moved.to.length === 0 && moved.from.length > 0)
    return (
      <>
        <Sums of={moved.amounts} isMore={moved.isMore} /> within{' '}
        <People network={network} addresses={moved.from} />
      </>
    );
  return (
    <>
      <Sums of={moved.amounts} isMore={moved.isMore} />
      {moved.from.length > 0 && (
        <>
          {' '}
          from <People network={network} addresses={moved.from} />
        </>
      )}{' '}
      to <People network={network} addresses={moved.to} />
    </>
  );
}

function registration({ of }: Words) {
  const [first] = of.l1ValidatorDetails ?? [];
  return (
    <>
      <Node of={{ network: of.network, nodeId: first?.nodeId ?? of.nodeId }} /> becomes a validator of the L1{' '}
      <Subnet of={of} />
      {first && `, with weight ${Number(first.weight).toLocaleString('en')}`}
    </>
  );
}

function weight({ of }: Words) {
  const [first] = of.l1ValidatorDetails ?? [];
  if (first && Number(first.weight) === 0)
    return (
      <>
        <Validations of={of} /> is removed
      </>
    );
  return (
    <>
      <Validations of={of} /> gets the weight{' '}
      {first ? Number(first.weight).toLocaleString('en') : 'not known'}
    </>
  );
}

function stakeEnd({ of }: Words) {
  const staking = of.stakingTransaction;
  if (!staking) return <>End of a stake</>;
  return (
    <>
      End of the stake of <Sums of={staking.amountStaked} /> on{' '}
      <Node of={{ network: of.network, nodeId: staking.nodeId }} />
    </>
  );
}

/** Types that txType cannot name, by chainTxType. */
const unnamed: Readonly<Record<string, (words: Words) => ComponentChildren>> = {
  AddAutoRenewedValidatorTx: ({ of }) => (
    <>
      Stake of <Sums of={of.amountStaked} /> on <Node of={of} />, which begins again by itself
    </>
  ),
  SetAutoRenewedValidatorConfigTx: () => <>New settings of a stake that begins again by itself</>,
  RewardAutoRenewedValidatorTx: (words) => <>{stakeEnd(words)}, which may begin again</>,
};

/** A sentence for each type. */
const sentences: Readonly<Record<InWords['txType'], (words: Words) => ComponentChildren>> = {
  AddDelegatorTx: delegation,
  AddPermissionlessDelegatorTx: delegation,
  AddPermissionlessValidatorTx: stake,
  AddValidatorTx: stake,
  AddSubnetValidatorTx: ({ of }) => (
    <>
      <Node of={of} /> becomes a validator of subnet <Subnet of={of} />
      <Until of={of} />
    </>
  ),
  AdvanceTimeTx: () => <>The clock of the P-chain moves on</>,
  BaseTx: transfer,
  ConvertSubnetToL1Tx: ({ of }) => {
    const count = of.l1ValidatorDetails?.length ?? 0;
    return (
      <>
        Subnet <Subnet of={of} /> becomes an L1 with {count} {count === 1 ? 'validator' : 'validators'}
      </>
    );
  },
  CreateAssetTx: ({ of, moved }) => (
    <>
      New asset{' '}
      {assetOf(
        of,
        moved.assets.find(({ assetId }) => assetId === of.txHash),
      )}
    </>
  ),
  CreateChainTx: ({ of }) => (
    <>
      New blockchain “<Name text={of.blockchainInfo?.chainName ?? ''} />” in subnet <Subnet of={of} />
    </>
  ),
  CreateSubnetTx: ({ of }) => (
    <>
      New subnet <Subnet of={of} />
    </>
  ),
  DisableL1ValidatorTx: ({ of }) => (
    <>
      <Validations of={of} /> is disabled and its balance returned
    </>
  ),
  ExportTx: crossing('Export'),
  ImportTx: crossing('Import'),
  IncreaseL1ValidatorBalanceTx: ({ of }) => (
    <>
      <Sums of={of.amountL1ValidatorBalanceBurned} /> for the balance of <Validations of={of} />
    </>
  ),
  OperationTx: ({ of, moved }) => <>Operation on {assetOf(of, moved.assets.at(-1))}</>,
  RegisterL1ValidatorTx: registration,
  RemoveSubnetValidatorTx: ({ of }) => (
    <>
      <Node of={of} /> is removed from subnet <Subnet of={of} />
    </>
  ),
  RewardValidatorTx: stakeEnd,
  SetL1ValidatorWeightTx: weight,
  TransferSubnetOwnershipTx: ({ of }) => (
    <>
      Subnet <Subnet of={of} /> gets new owners
    </>
  ),
  TransformSubnetTx: ({ of }) => (
    <>
      Subnet <Subnet of={of} /> opens to everybody who stakes its asset
    </>
  ),
  UNKNOWN: (words) =>
    unnamed[words.of.chainTxType ?? '']?.(words) ?? <>A transaction of a type that has no name here</>,
};

/** What a transaction does, in one sentence. */
export const Sentence = ({ of, aliasOf }: { of: InWords; aliasOf: AliasOf }) => (
  <>{sentences[of.txType]({ of, moved: movedBy(of), aliasOf })}</>
);

type Row = ChainNowFragment['transactions']['nodes'][number];

/** A transaction as a sentence, in a list of them. */
export const Line = ({ of, aliasOf }: { of: Row; aliasOf: AliasOf }) => (
  <li>
    <ChainBadge chain={of.blockchainAlias} />
    <span title={typeWords[of.txType].short}>
      <Icon of={typeWords[of.txType].icon} />
    </span>
    <span class="sentence">
      <Sentence of={of} aliasOf={aliasOf} />
    </span>
    <Id id={of.txHash} href={transactionPath(of.network, of.blockchainAlias, of.txHash)} />
    <small>
      <Age seconds={of.blockTimestamp} />
    </small>
  </li>
);
