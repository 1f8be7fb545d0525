import { Coins, ShieldCheck, Users } from 'lucide';
import type { SubnetQuery } from '../generated/others/graphql.js';
import { transactionPath } from '../paths.js';
import { OfAvax } from './amount.js';
import { pathOfChain } from './chains.js';
import { EvmAddress } from './evm-address.js';
import { Facts, Figures, type Figure } from './facts.js';
import { Owners } from './lists.js';
import { PRIMARY_NETWORK } from './sentence-links.js';
import { Age, grouped, Id, Name, Time } from './text.js';

export type SubnetFound = NonNullable<SubnetQuery['subnet']>;

export const isL1 = ({ conversions }: SubnetFound) => conversions.nodes.length > 0;
export const isPrimary = ({ subnetId }: SubnetFound) => subnetId === PRIMARY_NETWORK;

/** What it is, in words, with the name of its blockchain: a subnet has no name of its own. */
export function SubnetTitle({ of }: { of: SubnetFound }) {
  if (isPrimary(of)) return <>The primary network</>;
  const name = of.named.nodes[0]?.blockchainInfo?.chainName;
  const kind = isL1(of) ? 'L1' : 'subnet';
  if (!name) return <>{kind === 'L1' ? 'An L1' : 'A subnet'}</>;
  return (
    <>
      The {kind} of <Name text={name} />
    </>
  );
}

/** What it is known for. */
export function SubnetKey({ of, network }: { of: SubnetFound; network: string }) {
  const { activeValidators, totals, supply, owner, creatingTransaction, conversions } = of;
  const [conversion] = conversions.nodes;
  const manager = conversion?.l1ValidatorManagerDetails;
  const transaction = (made: { txHash: string; blockTimestamp: number | string } | undefined | null) =>
    made ? (
      <>
        <Age seconds={made.blockTimestamp} /> by{' '}
        <Id id={made.txHash} href={transactionPath(network, 'p-chain', made.txHash)} />
      </>
    ) : undefined;
  return (
    <>
      <Figures figures={figuresOf(of)} />
      <Facts
        facts={[
          ['Validators now', activeValidators === null ? null : undefined],
          ['Created', transaction(creatingTransaction)],
          ['Became an L1', transaction(conversion)],
          [
            'Manager',
            manager ? (
              <EvmAddress address={manager.contractAddress} chain={manager.chain} network={network} />
            ) : undefined,
          ],
          [
            'Manager is on',
            manager ? (
              <Id
                id={manager.blockchainId}
                href={pathOfChain(network, manager.blockchainId, manager.chain)}
              />
            ) : undefined,
          ],
          [
            'Owners',
            owner ? (
              owner.addresses.length === 0 ? (
                'nobody'
              ) : (
                <Owners addresses={owner.addresses} threshold={owner.threshold} network={network} />
              )
            ) : undefined,
          ],
          [
            'Owners act from',
            owner && Number(owner.locktime) > 0 ? <Time seconds={owner.locktime} /> : undefined,
          ],
          [
            'Supply',
            supply === null ? undefined : isPrimary(of) ? (
              <OfAvax amount={supply} />
            ) : (
              `${grouped(supply)} smallest units of what it stakes`
            ),
          ],
          ['Weight of all', totals && !isPrimary(of) ? grouped(totals.weight) : undefined],
        ]}
      />
    </>
  );
}

function figuresOf({ activeValidators, totals, conversions, subnetId }: SubnetFound): Figure[] {
  const [conversion] = conversions.nodes;
  return [
    ...(activeValidators === null
      ? []
      : [
          {
            title: 'Validators now',
            icon: ShieldCheck,
            value: grouped(activeValidators),
            note: conversion && totals && `${totals.inactiveL1Validators} without a balance`,
          },
        ]),
    ...(totals && subnetId === PRIMARY_NETWORK
      ? [
          {
            title: 'Staked in all',
            icon: Coins,
            value: <OfAvax amount={totals.weight} />,
            tone: 'is-staked',
          },
          { title: 'Delegators', icon: Users, value: grouped(totals.delegatorCount) },
        ]
      : []),
  ];
}
