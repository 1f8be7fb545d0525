import { encodeCb58 } from '../../src/avalanche/cb58.js';
import { utxoIdOf } from '../../src/avalanche/codec/ids.js';
import { parseJson } from '../../src/json.js';
import { readSample } from './sample.js';

type Row = Record<string, unknown>;

/** A transaction whose numbers reach the ends of 64 bits. */
export function extremes(): Row & { txHash: string } {
  const sample = readSample();
  const utxo = sample.utxosOf('p')[0] as unknown as Row;
  const row = parseJson(`{
    "txType": "ConvertSubnetToL1Tx", "blockTimestamp": 4294967296, "blockNumber": "18446744073709551615",
    "consumedUtxos": [], "subnetOwnershipInfo": { "locktime": 18446744073709551615, "threshold": 1, "addresses": [] },
    "l1ValidatorDetails": [{ "validationId": "v", "nodeId": "n", "subnetId": "s", "weight": 18446744073709551615,
      "remainingBalance": 4294967296, "balanceChange": -9223372036854775808 }],
    "emittedUtxos": [{ "platformLocktime": 18446744073709551615, "stakeableLocktime": 4294967296,
      "utxoStartTimestamp": 4294967296, "utxoEndTimestamp": 18446744073709551615, "amount": "18446744073709551615" }]
  }`) as Row;
  const [emitted] = row['emittedUtxos'] as Row[];
  const txHash = encodeCb58(new Uint8Array(32).fill(9));
  return {
    ...row,
    txHash,
    emittedUtxos: [
      {
        addresses: utxo['addresses'],
        assetId: utxo['assetId'],
        createdOnChainId: utxo['createdOnChainId'],
        consumedOnChainId: utxo['consumedOnChainId'],
        utxoType: 'TRANSFER',
        txHash,
        outputIndex: 4294967295,
        utxoId: utxoIdOf(new Uint8Array(32).fill(9), 4294967295),
        ...emitted,
      },
    ],
  };
}
