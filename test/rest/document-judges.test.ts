import { afterAll, beforeAll, expect, test } from 'vitest';
import { compositeBodyExample } from '../../src/resources/composite-query/request-body.js';
import type { TestApp } from '../harness/app.js';
import { openDocumentedGateway } from '../harness/documented-gateway.js';
import { ajv, operations, requestExample, schemaAt } from '../harness/openapi.js';
import { postComposite } from '../harness/composite.js';

let gateway: TestApp;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ gateway, close } = await openDocumentedGateway());
});
afterAll(() => close());

const largest = 2n ** 256n - 1n;

test.each<[operation: string, parameter: string, isRight: boolean, values: string[]]>([
  ['reindexNft', 'tokenId', true, ['0', '07', '1'.repeat(77), `0${'9'.repeat(77)}`, `${largest}`]],
  ['reindexNft', 'tokenId', true, [`${largest - 10n ** 69n}`, `10${'9'.repeat(76)}`]],
  ['reindexNft', 'tokenId', false, ['', 'x', '-1', `${largest + 10n ** 70n}`, `118${'0'.repeat(75)}`]],
  ['reindexNft', 'tokenId', false, ['2'.repeat(78), '1'.repeat(79)]],
  ['listUtxos', 'assetId', true, ['U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK']],
  ['listUtxos', 'assetId', false, ['', 'AVAX', '0x00']],
])('%s: the document and the gateway agree on %s: %s for %j', async (name, parameter, isRight, values) => {
  const each = operations.find(({ operation }) => operation.operationId === name);
  const schema = each?.operation.parameters?.find((each) => each.name === parameter)?.schema;
  if (!each || !schema) throw new Error(`${name} has no ${parameter}`);
  for (const value of values) {
    const changed = { [parameter]: value, ...(name === 'listUtxos' && { blockchainId: 'x-chain' }) };
    const { statusCode, body } = await requestExample(gateway, each, changed);
    // An empty segment of a path is no path of ours.
    const isRefused = value === '' ? statusCode >= 400 : statusCode === 400;
    expect([ajv.validate(schema, value), !isRefused], `${value}: ${body}`).toEqual([isRight, isRight]);
  }
});

const days = ['2026-01-31', '2024-02-29', '2026-04-30', '0001-12-01'];
const noDays = [
  '2026-1-1',
  '2026-00-10',
  '2026-13-01',
  '2026-02-30',
  '2026-04-31',
  '2026-12-32',
  '2026-10-00',
];
const times = [
  '00:00',
  '23:59:59',
  '24:00',
  '24:00:00.0',
  '10:00:00.123456789Z',
  '10:00+23:59',
  '10:00-00:00',
];
const noTimes = ['1:00', '24:01', '25:00', '10:60', '10:00:60', '10:00+24:00', '10:00+10:60', '10:00z', '10'];

test.each<[isRight: boolean, dates: string[]]>([
  [true, [...days, ...times.map((time) => `2026-01-31T${time}`)]],
  [false, [...noDays, ...noTimes.map((time) => `2026-01-31T${time}`)]],
])('the document and the gateway agree on dates: %s for %j', async (isRight, dates) => {
  const isValid = schemaAt('components', 'schemas', 'CompositeQueryRequest');
  for (const date of dates) {
    const [query] = compositeBodyExample.queries;
    const params = { ...query?.params, firstDate: '0001-01-01', lastDate: date };
    const body = { ...compositeBodyExample, queries: [{ ...query, params }] };
    const { status, text } = await postComposite(gateway, body);
    expect([isValid(body), status], `${date}: ${text}`).toEqual([isRight, isRight ? 200 : 400]);
  }
});
