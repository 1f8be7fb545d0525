import type { GenesisFragment, RulesOfGenesisFragment } from '../generated/graphql.js';
import { decimalOf } from './amount.js';
import { Facts } from './facts.js';
import { textOfBytes } from './memo.js';
import { Table } from './table.js';
import { Id, plain, Time } from './text.js';

/** How many accounts and bytes of a genesis are shown. */
const [ACCOUNTS, BYTES] = [24, 2000];

const hexOr = (text: string | null | undefined) => {
  const value = Number(text);
  return text && Number.isFinite(value) ? value : undefined;
};

/** Contracts that a genesis turns on, and the member that turns each on. */
const contracts = [
  ['who may deploy contracts', 'contractDeployerAllowListConfig'],
  ['who may mint the coin', 'contractNativeMinterConfig'],
  ['who may send transactions', 'txAllowListConfig'],
  ['who may change fees', 'feeManagerConfig'],
  ['who may change where fees go', 'rewardManagerConfig'],
] as const;

/** The genesis of the blockchain that a transaction created. */
export function Genesis({ info: { genesisData, encodedGenesis } }: { info: GenesisFragment }) {
  if (encodedGenesis) {
    const shown = decoded(encodedGenesis);
    return (
      <pre class="payload" tabIndex={0}>
        {shown.slice(0, BYTES).split('\n').map(plain).join('\n')}
        {shown.length > BYTES && ` … ${shown.length - BYTES} characters more`}
      </pre>
    );
  }
  if (!genesisData) return <p class="empty">The genesis is not known.</p>;
  const { config, coinbase, gasLimit, timestamp, alloc } = genesisData;
  return (
    <>
      <Facts
        facts={[
          ['EVM chain id', config?.chainId ?? undefined],
          ['Gas limit', (config?.feeConfig?.gasLimit ?? hexOr(gasLimit))?.toLocaleString('en')],
          ['Time', hexOr(timestamp) ? <Time seconds={hexOr(timestamp)} /> : undefined],
          ...feesOf(config),
          ['Fees go to', coinbase ? <Id id={coinbase} /> : undefined],
          ['Messaging', config ? (config.warpConfig ? 'on' : 'off') : undefined],
          ['Rules for', config ? rulesOf(config) : undefined],
        ]}
      />
      <Accounts alloc={alloc} />
    </>
  );
}

/** The text that a genesis is in base64, such as JSON; otherwise as it is. */
function decoded(genesis: string): string {
  try {
    return textOfBytes(Uint8Array.from(atob(genesis), (each) => each.charCodeAt(0))) ?? genesis;
  } catch {
    return genesis;
  }
}

const gweiOf = (wei: number | string | null) =>
  wei === null ? undefined : `${decimalOf(String(wei), 9)} gwei`;

function feesOf(config: RulesOfGenesisFragment | null | undefined): [string, string | undefined][] {
  const fee = config?.feeConfig;
  if (!fee) return [];
  return [
    ['Least base fee', gweiOf(fee.minBaseFee)],
    ['Target gas', fee.targetGas?.toLocaleString('en')],
    ['Time of a block', fee.targetBlockRate ? `${fee.targetBlockRate} s` : undefined],
  ];
}

const rulesOf = (config: RulesOfGenesisFragment) =>
  contracts
    .filter(([, member]) => config[member])
    .map(([words]) => words)
    .join(', ') || 'nothing but what all chains have';

/** Accounts that have something at the beginning; coins of EVM chains have 18 decimals. */
function Accounts({ alloc }: { alloc: unknown }) {
  if (typeof alloc !== 'object' || alloc === null) return null;
  const accounts = Object.entries(alloc as Record<string, { balance?: unknown; code?: unknown } | null>);
  const rows = accounts.slice(0, ACCOUNTS).map(([address, account]) => ({
    address: address.startsWith('0x') ? address : `0x${address}`,
    balance: weiOf(account?.balance),
    isContract: Boolean(account?.code),
  }));
  const more = accounts.length - rows.length;
  return (
    <>
      <h3>Accounts at the beginning</h3>
      <Table
        label="Accounts of the genesis"
        rows={rows}
        keyOf={({ address }) => address}
        columns={[
          { title: 'Account', cell: ({ address }) => <Id id={address} /> },
          { title: 'Coins', isFigure: true, cell: ({ balance }) => balance },
          { title: 'Is', cell: ({ isContract }) => (isContract ? 'a contract' : 'an account') },
        ]}
      />
      {more > 0 && <p>{more.toLocaleString('en')} more are in the JSON.</p>}
    </>
  );
}

function weiOf(balance: unknown): string {
  if (typeof balance !== 'string' && typeof balance !== 'number') return '0';
  try {
    return decimalOf(String(BigInt(balance)), 18);
  } catch {
    return 'not a number';
  }
}
