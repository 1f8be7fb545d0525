import { evmAddressOf, hexOf } from './ids.js';
import type { L1Description } from './l1s.js';

const ZERO_HASH = `0x${'0'.repeat(64)}`;

/**
 * The EVM genesis of a chain (docs/contract.md, "Genesis data"): quantities are hex strings, numbers inside
 * `config` JSON numbers.
 *
 * @param complete whether the fields that may be null (an airdrop, a base fee, blob gas) have a value
 */
export function evmGenesis(
  chain: L1Description,
  timestamp: number,
  complete: boolean,
): Record<string, unknown> {
  return {
    config: config(chain, timestamp),
    nonce: '0x0',
    timestamp: hex(timestamp),
    extraData: '0x',
    gasLimit: hex(15_000_000),
    difficulty: '0x0',
    mixHash: ZERO_HASH,
    coinbase: `0x${'0'.repeat(40)}`,
    alloc: alloc(chain),
    airdropHash: complete ? hexOf(`airdrop of ${chain.chainName}`, 32) : ZERO_HASH,
    airdropAmount: complete ? 1_000_000_000 : null,
    number: '0x0',
    gasUsed: '0x0',
    parentHash: ZERO_HASH,
    baseFeePerGas: complete ? 25_000_000_000 : null,
    excessBlobGas: complete ? '0x0' : null,
    blobGasUsed: complete ? '0x0' : null,
  };
}

function config(chain: L1Description, timestamp: number): object {
  return {
    chainId: chain.evmChainId,
    homesteadBlock: 0,
    eip150Block: 0,
    eip150Hash: hexOf('eip150', 32),
    eip155Block: 0,
    eip158Block: 0,
    byzantiumBlock: 0,
    constantinopleBlock: 0,
    petersburgBlock: 0,
    istanbulBlock: 0,
    muirGlacierBlock: 0,
    berlinBlock: 0,
    londonBlock: 0,
    subnetEVMTimestamp: 0,
    allowFeeRecipients: true,
    feeConfig: {
      gasLimit: 15_000_000,
      targetBlockRate: 2,
      minBaseFee: 25_000_000_000,
      targetGas: 15_000_000,
      baseFeeChangeDenominator: 36,
      minBlockGasCost: 0,
      maxBlockGasCost: 1_000_000,
      blockGasCostStep: 200_000,
    },
    warpConfig: { blockTimestamp: timestamp, quorumNumerator: 67, requirePrimaryNetworkSigners: true },
    txAllowListConfig: allowList(chain, 'transactions', timestamp),
    contractDeployerAllowListConfig: allowList(chain, 'deployers', timestamp),
    contractNativeMinterConfig: allowList(chain, 'minters', timestamp),
    feeManagerConfig: allowList(chain, 'fee managers', timestamp),
    rewardManagerConfig: allowList(chain, 'reward managers', timestamp),
  };
}

function allowList(chain: L1Description, role: string, blockTimestamp: number): object {
  const address = (rank: string) => evmAddressOf(`${chain.chainName} ${role} ${rank}`);
  return {
    blockTimestamp,
    adminAddresses: [address('admin')],
    managerAddresses: [address('manager')],
    enabledAddresses: [address('enabled 0'), address('enabled 1')],
  };
}

function alloc(chain: L1Description): object {
  const key = (name: string) => evmAddressOf(`${chain.chainName} ${name}`).slice(2);
  return {
    [key('treasury')]: { balance: hex(10n ** 27n) },
    [key('validator manager')]: {
      balance: '0x0',
      code: hexOf(`code of ${chain.chainName}`, 96),
      storage: { [ZERO_HASH]: hexOf('slot 0', 32), [`0x${'0'.repeat(63)}1`]: hexOf('slot 1', 32) },
    },
  };
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
