import { GenesisError, readGenesisFile, type Allocation, type GenesisFile } from './genesis-file.js';
import { NO_CREDENTIALS, ZERO, base, compare, lockedOutput, transferOutput } from './genesis-pieces.js';
import { validators } from './genesis-stakers.js';
import { decodeGenesis, namedId } from './genesis.js';
import { sha256 } from './ids.js';
import type { Genesis } from './types.js';
import { concat, list, sized, text, u32Bytes, u64Bytes } from './writer.js';

/*
 * From the genesis file to the bytes whose sha256 is the parent of P block 0 (avalanchego genesis/genesis.go
 * and vms/platformvm/genesis/genesis.go).
 */

const VERSION = Uint8Array.of(0, 0);

/**
 * Rebuilds the genesis of a network from avalanchego's genesis file. It is that of the node if its `id` is
 * the parent of the node's P block 0; the caller must compare.
 *
 * @param json the file's JSON with exact whole numbers, as parseJson reads it
 * @throws GenesisError
 */
export function rebuildGenesis(json: unknown): Genesis {
  const file = readGenesisFile(json);
  const xGenesis = xGenesisBytes(file);
  const asset = sha256(concat([VERSION, u32Bytes(1), assetFields(file), NO_CREDENTIALS]));
  const stakers = new Set(file.initialStakedFunds.map(hexOf));
  const staked = file.allocations.filter(({ address }) => stakers.has(hexOf(address)));
  const free = file.allocations.filter(({ address }) => !stakers.has(hexOf(address)));
  const bytes = concat([
    VERSION,
    list(utxos(file, asset, free)),
    list(validators(file, asset, staked)),
    list([
      chain(file, 'X-Chain', 'avm', ['secp256k1fx', 'nftfx', 'propertyfx'], xGenesis),
      chain(file, 'C-Chain', 'evm', [], Buffer.from(file.cChainGenesis)),
    ]),
    u64Bytes(file.startTime),
    u64Bytes(supplyOf(file)),
    text(file.message),
  ]);
  return decodeGenesis(bytes);
}

function supplyOf({ allocations }: GenesisFile): bigint {
  const locked = allocations.flatMap(({ unlockSchedule }) => unlockSchedule.map(({ amount }) => amount));
  const amounts = [...allocations.map(({ initialAmount }) => initialAmount), ...locked];
  const supply = amounts.reduce((sum, amount) => sum + amount, 0n);
  if (supply >= 2n ** 64n) throw new GenesisError('the genesis file has 2^64 nAVAX or more');
  return supply;
}

/** The X-chain's genesis: one asset, under its alias. */
function xGenesisBytes(file: GenesisFile): Uint8Array {
  return concat([VERSION, list([concat([text('AVAX'), assetFields(file)])])]);
}

/** The CreateAssetTx of AVAX without type id and credentials; its memo is the owners' EVM addresses. */
function assetFields({ networkId, allocations }: GenesisFile): Uint8Array {
  const holders = allocations
    .filter(({ initialAmount }) => initialAmount > 0n)
    .sort((a, b) => compare(a.initialAmount, b.initialAmount) || Buffer.compare(a.address, b.address));
  const outputs = holders.map(({ initialAmount, address }) => transferOutput(initialAmount, address));
  const state = concat([u32Bytes(0), list(outputs)]);
  return concat([
    base(networkId, concat(holders.map(({ ethAddress }) => ethAddress))),
    text('Avalanche'),
    text('AVAX'),
    Uint8Array.of(9),
    list(outputs.length > 0 ? [state] : []),
  ]);
}

/** Outputs of those who do not stake, in the file's order, each with the owner's EVM address as message. */
function utxos(file: GenesisFile, asset: Uint8Array, allocations: readonly Allocation[]) {
  return allocations
    .flatMap(({ address, ethAddress, unlockSchedule }) =>
      unlockSchedule.map((locked) => ({ ...locked, address, ethAddress })),
    )
    .filter(({ amount }) => amount > 0n)
    .map((coins, index) =>
      concat([ZERO, u32Bytes(index), asset, lockedOutput(file, coins), sized(coins.ethAddress)]),
    );
}

/** CreateChainTx. */
function chain(
  { networkId }: GenesisFile,
  name: string,
  vm: string,
  extensions: readonly string[],
  genesis: Uint8Array,
): Uint8Array {
  return concat([
    u32Bytes(15),
    base(networkId, new Uint8Array(0)),
    ZERO,
    text(name),
    namedId(vm),
    list(extensions.map(namedId)),
    sized(genesis),
    // An authorization without signatures.
    u32Bytes(10),
    u32Bytes(0),
    NO_CREDENTIALS,
  ]);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
