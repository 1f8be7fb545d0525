import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type TestApp } from '../../harness/app.js';
import {
  CUMULATIVE,
  DAILY,
  DAY,
  FIRST,
  importSeriesTo,
  pathOf,
  resultsOf,
  runningSums,
  series,
  subnetAt,
  VALIDATORS,
  type Point,
  type Series,
} from '../../harness/subnet-metrics.js';

let app: TestApp;
let subnets = 0;

beforeAll(async () => {
  app = await createApp();
});
afterAll(() => app.close());

function freshSubnet(): string {
  subnets += 1;
  return subnetAt(subnets);
}

const importSeries = (...given: Series) => importSeriesTo(app.storage, ...given);

async function walk(subnetId: string, metric: string, query: string) {
  const found: { value: number | bigint; timestamp: number }[] = [];
  for (let token = ''; ;) {
    const reply = await app.get(pathOf(subnetId, metric, `?${query}&pageToken=${token}`));
    expect(reply.status).toBe(200);
    found.push(...resultsOf(reply.text));
    token = (reply.body as { nextPageToken?: string }).nextPageToken ?? '';
    if (token === '') return found;
  }
}

test('the cumulative fees are the sum of the daily ones at every point, within bounds and on every page', async () => {
  await fc.assert(
    fc.asyncProperty(
      series,
      fc.option(fc.integer({ min: -1, max: 21 })),
      fc.option(fc.integer({ min: -1, max: 21 })),
      fc.nat(2 * DAY),
      fc.integer({ min: 1, max: 16 }),
      async (points, start, end, offset, pageSize) => {
        const subnetId = freshSubnet();
        await importSeries(subnetId, DAILY, points);
        const after = start === null ? null : FIRST + start * DAY + offset;
        const before = end === null ? null : FIRST + end * DAY + offset;
        const inside = ({ day }: Point) =>
          (after === null || FIRST + day * DAY > after) && (before === null || FIRST + day * DAY < before);
        const query = [
          `pageSize=${pageSize}`,
          ...(after === null ? [] : [`startTimestamp=${after}`]),
          ...(before === null ? [] : [`endTimestamp=${before}`]),
        ].join('&');
        const plain = (found: { value: number | bigint; timestamp: number }[]) =>
          found.map(({ value, timestamp }) => ({ value: BigInt(value), day: (timestamp - FIRST) / DAY }));
        expect(plain(await walk(subnetId, DAILY, query))).toEqual(points.filter(inside));
        expect(plain(await walk(subnetId, CUMULATIVE, query))).toEqual(runningSums(points).filter(inside));
      },
    ),
    { numRuns: 40 },
  );
});

test('cumulative rows of a file are checked and left out, other rows are written once', async () => {
  const subnetId = freshSubnet();
  expect(await importSeries(subnetId, CUMULATIVE, [{ day: 0, value: 999n }])).toEqual({
    written: 0,
    unchanged: 1,
  });
  expect(await importSeries(subnetId, DAILY, [{ day: 0, value: 5n }])).toEqual({ written: 1, unchanged: 0 });
  expect(await importSeries(subnetId, DAILY, [{ day: 0, value: 5n }])).toEqual({ written: 0, unchanged: 1 });
  const reply = await app.get(pathOf(subnetId, CUMULATIVE));
  expect(reply.body).toEqual({ results: [{ value: 5, timestamp: FIRST }] });
});

test('GraphQL gives values beyond 2^53 exactly, and pages both ways', async () => {
  const subnetId = freshSubnet();
  const large = 2n ** 64n + 1n;
  await importSeries(subnetId, DAILY, [
    { day: 0, value: large },
    { day: 1, value: 1n },
    { day: 2, value: 7n },
  ]);
  const query = `query ($first: Int, $last: Int, $before: String) {
    subnetMetric(subnetId: "${subnetId}", metric: ${CUMULATIVE}, first: $first, last: $last, before: $before) {
      nodes { value timestamp } pageInfo { hasPreviousPage startCursor }
    }
  }`;
  interface Page {
    subnetMetric: { nodes: unknown[]; pageInfo: { hasPreviousPage: boolean; startCursor: string } };
  }
  const oldest = (await app.graphql<Page>(query, { last: 1 })).data.subnetMetric;
  expect(oldest).toMatchObject({
    nodes: [{ value: large.toString(), timestamp: FIRST }],
    pageInfo: { hasPreviousPage: true },
  });
  const before = oldest.pageInfo.startCursor;
  expect((await app.graphql<Page>(query, { last: 5, before })).data.subnetMetric.nodes).toEqual([
    { value: (large + 8n).toString(), timestamp: FIRST + 2 * DAY },
    { value: (large + 1n).toString(), timestamp: FIRST + DAY },
  ]);
  expect((await app.get(pathOf(subnetId, DAILY))).text).toContain(`{"value":${large},"timestamp":${FIRST}}`);
});

test('a subnet that both networks hold answers for mainnet, and for either by name', async () => {
  const subnetId = freshSubnet();
  await importSeries(subnetId, VALIDATORS, [{ day: 0, value: 3n }], 'fuji');
  expect((await app.get(pathOf(subnetId, VALIDATORS))).body).toMatchObject({ results: [{ value: 3 }] });
  await importSeries(subnetId, VALIDATORS, [{ day: 0, value: 4n }], 'mainnet');
  expect((await app.get(pathOf(subnetId, VALIDATORS))).body).toMatchObject({ results: [{ value: 4 }] });
  const reply = await app.graphql(
    `{ subnetMetric(subnetId: "${subnetId}", metric: ${VALIDATORS}, network: testnet) { nodes { value } } }`,
  );
  expect(reply.data).toEqual({ subnetMetric: { nodes: [{ value: '3' }] } });
});

test('what is wrong is 400 with its name; a subnet without data has no points', async () => {
  const subnetId = freshSubnet();
  expect((await app.get(pathOf(subnetId, DAILY, '?startTimestamp=5&endTimestamp=5'))).body).toEqual({
    results: [],
  });
  expect((await app.get(pathOf(subnetId, DAILY, '?endTimestamp=1e30'))).body).toEqual({ results: [] });
  for (const [path, message] of [
    [
      pathOf('abc', DAILY),
      'subnetId: "abc" is not an id; it must be 32 bytes in CB58 (base58 with a checksum)',
    ],
    [pathOf(subnetId, 'fees'), `metric: "fees" is not one of ${DAILY}, ${CUMULATIVE}, ${VALIDATORS}`],
    [
      pathOf(subnetId, DAILY, '?startTimestamp=-1'),
      'startTimestamp: "-1" is not a whole number of 0 or more',
    ],
    [pathOf(subnetId, DAILY, '?endTimestamp=1.5'), 'endTimestamp: "1.5" is not a whole number of 0 or more'],
    [pathOf(subnetId, DAILY, '?pageSize=10001'), 'pageSize: "10001" is not a whole number of 1 to 10000'],
  ] as const) {
    const reply = await app.get(path);
    expect(reply.body).toEqual({ message: [message], error: 'Bad Request', statusCode: 400 });
  }
  await importSeries(subnetId, DAILY, [
    { day: 0, value: 1n },
    { day: 1, value: 2n },
  ]);
  const first = await app.get(pathOf(subnetId, DAILY, '?pageSize=1'));
  const { nextPageToken } = first.body as { nextPageToken: string };
  const foreign = await app.get(pathOf(subnetId, CUMULATIVE, `?pageToken=${nextPageToken}`));
  expect(foreign.status).toBe(400);
});

test('a moment is read alike at both doors: none before 1970, one as 1e21, one far beyond every point', async () => {
  const subnetId = freshSubnet();
  await importSeries(subnetId, DAILY, [{ day: 0, value: 1n }]);
  const moments = ['-1', '1.5', '1e21', '1e400', '5', 'never'];
  for (const [name, found] of [
    ['startTimestamp', [null, null, 0, 0, 1, null]],
    ['endTimestamp', [null, null, 1, 1, 0, null]],
  ] as const) {
    const rest = moments.map(async (moment) => {
      const { status, text } = await app.get(pathOf(subnetId, DAILY, `?${name}=${moment}`));
      return status === 400 ? null : resultsOf(text).length;
    });
    const graphql = moments.map(async (moment) => {
      const { data, errors } = await app.graphql<{ subnetMetric: { nodes: object[] } } | null>(
        `{ subnetMetric(subnetId: "${subnetId}", metric: ${DAILY}, ${name}: "${moment}") { nodes { value } } }`,
      );
      if (errors) expect(errors[0]?.extensions['code']).toBe('BAD_USER_INPUT');
      return errors ? null : data?.subnetMetric.nodes.length;
    });
    expect(await Promise.all(rest)).toEqual(found);
    expect(await Promise.all(graphql)).toEqual(found);
  }
});
