import {
  asList,
  asObject,
  asText,
  asWhole,
  INT64_MAX,
  UINT64_MAX,
  wrong,
  type Check,
  type JsonObject,
} from '../../ingest/check.js';
import { RowError } from '../../ingest/errors.js';
import { asAssetAmount, type ImportAsset } from '../asset/import-store.js';

/** What of a transaction has no column. */
export interface ImportDetails {
  /** The specification's fields as imported, without nulls. */
  details: JsonObject;
  assets: ImportAsset[];
}

/** The lists that every transaction has, `[]` where the row has none. */
export const amountLists = [
  'value',
  'amountBurned',
  'amountStaked',
  'amountL1ValidatorBalanceBurned',
] as const;

// Replies are checked by clients against closed shapes, so a field of another JSON type must not get in.
const asLong = asWhole(UINT64_MAX);
const asSignedLong = asWhole(INT64_MAX, -(2n ** 63n));
const asBls = asShape({ publicKey: asText, proofOfPossession: asText });
const checks: Readonly<Record<string, Check<unknown>>> = {
  sourceChain: asText,
  destinationChain: asText,
  startTimestamp: asLong,
  endTimestamp: asLong,
  delegationFeePercent: asText,
  nodeId: asText,
  subnetId: asText,
  l1ValidatorManagerDetails: asShape({ blockchainId: asText, contractAddress: asText }),
  l1ValidatorDetails: asList(
    asShape(
      { validationId: asText, nodeId: asText, subnetId: asText, weight: asLong, remainingBalance: asLong },
      { validationIdHex: asText, balanceChange: asSignedLong, blsCredentials: asBls },
    ),
  ),
  estimatedReward: asDigitText,
  rewardTxHash: asText,
  rewardAddresses: asList(asText),
  memo: asText,
  stakingTxHash: asText,
  subnetOwnershipInfo: asShape({ locktime: asLong, threshold: asLong, addresses: asList(asText) }),
  blsCredentials: asBls,
  blockchainInfo: asShape({ chainName: asText, vmId: asText }, { genesisData: asGenesis }),
};

const nullsOfGenesis = new Set(['airdropAmount', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas']);

/**
 * Reads the fields of a transaction that have no column. Fields that the specification does not name are left out:
 * no reply could carry them.
 *
 * @throws RowError
 */
export function readDetails(row: JsonObject): ImportDetails {
  const details: Record<string, unknown> = {};
  const assets: ImportAsset[] = [];
  for (const name of amountLists) {
    if (row[name] === undefined || row[name] === null) continue;
    const amounts = asList(asAssetAmount)(row[name], name);
    details[name] = amounts.map(({ asset: { assetId, name, symbol, denomination, type }, amount }) => ({
      ...{ assetId, name, symbol, denomination: Number(denomination), type, amount },
    }));
    assets.push(...amounts.map(({ asset }) => asset));
  }
  for (const [name, check] of Object.entries(checks)) {
    const value = row[name];
    if (value === undefined || value === null) continue;
    check(value, name);
    details[name] = storable(value, name);
  }
  return { details, assets };
}

function asShape(
  required: Readonly<Record<string, Check<unknown>>>,
  optional: Readonly<Record<string, Check<unknown>>> = {},
): Check<unknown> {
  return (value, name) => {
    const object = asObject(value, name);
    for (const [key, check] of Object.entries(required)) check(object[key], `${name}.${key}`);
    for (const [key, check] of Object.entries(optional)) {
      if (object[key] !== undefined && object[key] !== null) check(object[key], `${name}.${key}`);
    }
    return object;
  };
}

function asDigitText(value: unknown, name: string): string {
  if (typeof value === 'string' && /^\d{1,78}$/.test(value)) return value;
  throw wrong(name, value, 'a string of decimal digits');
}

function asGenesis(value: unknown, name: string): unknown {
  return typeof value === 'string' ? value : asObject(value, name);
}

/** The value without nulls, its numbers as they come back from the database: whole ones beyond 2^53 as bigints. */
function storable(value: unknown, name: string): unknown {
  if (typeof value === 'number') return storableNumber(value, name);
  if (Array.isArray(value)) return value.filter((item) => item !== null).map((item) => storable(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, each]) => each !== null || (name.endsWith('genesisData') && nullsOfGenesis.has(key)),
  );
  return Object.fromEntries(kept.map(([key, each]) => [key, storable(each, `${name}.${key}`)]));
}

function storableNumber(value: number, name: string): number | bigint {
  if (!Number.isFinite(value)) throw new RowError(`${name}: holds a number that is too large`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(value);
  return value === 0 ? 0 : value;
}
