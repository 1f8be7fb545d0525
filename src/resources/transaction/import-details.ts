import {
  LONGEST_GENESIS,
  LONGEST_GENESIS_MEMO,
  LONGEST_MEMO,
  MOST_OUTPUTS,
  MOST_OWNERS,
} from '../../rows/bounds.js';
import {
  asList,
  asObject,
  asPeriodSeconds,
  asText,
  asTextOf,
  asWhole,
  INT64_MAX,
  UINT64_MAX,
  wrong,
} from '../../rows/check.js';
import type { Check, JsonObject } from '../../rows/check.js';
import {
  addresses,
  digits,
  evmAddress,
  evmHash,
  hex,
  id,
  integer,
  nodeId,
  plain,
  whole,
} from '../../fields/field.js';
import type { Detail } from '../../fields/field.js';
import { RowError } from '../../rows/errors.js';
import { printJson } from '../../json.js';
import { asShape } from '../../rows/shape.js';
import { asAssetAmount, type ImportAsset } from '../asset/write.js';
import { amountLists, detailObjects, optionalDetails } from './details.js';
import { genesis, nullsOfGenesis } from './genesis.js';

/** The values of a transaction without a column. */
export interface ImportDetails {
  /** The specification's fields as imported, without nulls. */
  details: JsonObject;
  assets: ImportAsset[];
}

// Clients check replies against closed shapes, so that a field of another JSON type must not be stored.
const checks = new Map<unknown, Check<unknown>>([
  // Returned as imported: a text that is no id stays unchanged.
  ...[plain, id, nodeId, hex, evmAddress, evmHash].map((kind) => [kind, asText] as const),
  [addresses, asList(asText, MOST_OWNERS)],
  [whole, asWhole(UINT64_MAX)],
  [integer, asWhole(INT64_MAX, -(2n ** 63n))],
  [digits, asDigitText],
  [genesis, asGenesis],
]);

function checkOf(kind: Detail['kind']): Check<unknown> {
  const { type } = kind;
  const known = checks.get(kind);
  if (known) return asGiven(known);
  const shape = asShape(detailObjects[[type].flat()[0] as keyof typeof detailObjects].fields, {}, checkOf);
  return Array.isArray(type) ? asList(shape) : shape;
}

/** Numbers stay as they were given: see storable. */
function asGiven(check: Check<unknown>): Check<unknown> {
  return (value, name) => {
    const left = check(value, name);
    return typeof value === 'object' ? left : value;
  };
}

const asPeriod = asGiven(asPeriodSeconds);
const asMemo = asGiven(asTextOf(LONGEST_MEMO));
const asDetails = asShape(
  optionalDetails,
  { memo: asTextOf(LONGEST_GENESIS_MEMO), startTimestamp: asPeriod, endTimestamp: asPeriod },
  checkOf,
);

/**
 * Reads the fields of a transaction without a column. Fields that the specification does not name are left
 * out, because no reply could contain them.
 *
 * @throws RowError
 */
export function readDetails(row: JsonObject): ImportDetails {
  const details: Record<string, unknown> = {};
  const assets: ImportAsset[] = [];
  for (const name of Object.keys(amountLists)) {
    if (row[name] === undefined || row[name] === null) continue;
    const amounts = asList(asAssetAmount, MOST_OUTPUTS)(row[name], name);
    details[name] = amounts.map(({ asset: { assetId, name, symbol, denomination, type }, amount }) => ({
      assetId,
      name,
      symbol,
      denomination: Number(denomination),
      type,
      amount,
    }));
    assets.push(...amounts.map(({ asset }) => asset));
  }
  if (row['txType'] !== 'CreateAssetTx' && row['memo'] !== undefined && row['memo'] !== null)
    asMemo(row['memo'], 'memo');
  for (const [name, value] of Object.entries(asDetails(row, ''))) details[name] = storable(value, name);
  return { details, assets };
}

function asDigitText(value: unknown, name: string): string {
  if (typeof value === 'string' && /^\d{1,78}$/.test(value)) return value;
  throw wrong(name, value, 'a string of decimal digits');
}

const asGenesisText = asTextOf(LONGEST_GENESIS);

function asGenesis(value: unknown, name: string): unknown {
  if (typeof value === 'string') return asGenesisText(value, name);
  const object = asObject(value, name);
  asGenesisText(printJson(object), name);
  return object;
}

/** The value without nulls, its numbers as the database returns them: whole ones beyond 2^53 as bigints. */
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
  if (!Number.isFinite(value)) throw new RowError(`${name}: contains a number that is too large`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(value);
  return value === 0 ? 0 : value;
}
