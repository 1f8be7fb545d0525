import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access } from '../../src/access/access-control.js';
import { publicSchema } from '../../src/graphql/internal.js';
import type { TokenCodec } from '../../src/paging/token.js';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';
import { extremes } from '../harness/extremes.js';
import { Random } from '../harness/random.js';
import { randomOperation, type ArgumentPools, type RandomOperation } from '../harness/random-document.js';
import { readSample } from '../harness/sample.js';
import { importRows } from '../harness/seed.js';

/** Documents of one run; 10,000 before a release. */
const RUNS = Number(process.env['EQUALITY_RUNS'] ?? 400);
const SEED = Number(process.env['EQUALITY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let gateway: TestApp;
let statements: string[] = [];
let accesses: Access[] = [];

beforeAll(async () => {
  gateway = await createApp(
    {
      RATE_LIMITS: 'on',
      PLANS: JSON.stringify({ anonymous: { requests: 1e9, seconds: 86_400, perDay: null } }),
    },
    { sample: true, tokens: repeatable },
  );
  await importRows(gateway.storage, 'fuji.p-chain.transactions', [extremes()]);
  const { storage, accessControl } = gateway.services;
  const read = storage.read.bind(storage);
  storage.read = (statement, values) => {
    statements.push(statement.name);
    return read(statement, values);
  };
  const admit = accessControl.admit.bind(accessControl);
  accessControl.admit = async (...request) => {
    const access = await admit(...request);
    accesses.push(access);
    return access;
  };
});
afterAll(() => gateway.close());

test(`a document that was seen before is answered like a new one, whatever it asks (EQUALITY_SEED=${SEED})`, async () => {
  const schema = publicSchema(buildSchema());
  const random = new Random(SEED);
  const pools = argumentPools(random);
  const cursors = new Map<string, string[]>();
  const roots = [
    ...['block', 'transaction', 'transactions', 'utxo', 'utxos', 'vertex', 'vertices'],
    ...['address', 'asset', 'assets', 'chains', 'icmMessages'],
    ...['subnet', 'subnets', 'validator', 'validators'],
    ...['l1Validator', 'l1Validators'],
  ];
  let prepared = 0;
  let refused = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const made = randomOperation(random, { schema, roots, pools, cursors });
    // No document comes twice by chance.
    const operation = { ...made, query: `${made.query} # ${run}` };
    const plain = await ask(operation);
    const again = await ask(operation);
    const shown = `EQUALITY_SEED=${SEED}, document ${run}: ${JSON.stringify(operation)}`;
    expect(again.answer, shown).toEqual(plain.answer);
    // Their order too is GraphQL's.
    expect(JSON.stringify(again.body.data), shown).toBe(JSON.stringify(plain.body.data));
    if (plain.statements.some((name) => name.startsWith('operation:')))
      throw new Error(`not plain: ${shown}`);
    if (again.statements.some((name) => name.startsWith('operation:'))) prepared += 1;
    if (plain.body.errors) refused += 1;
    for (const [field, cursor] of cursorsIn(plain.body.data)) {
      const known = cursors.get(field) ?? [];
      cursors.set(field, [...known.slice(-20), cursor]);
    }
  }
  console.log(`${RUNS} documents, seed ${SEED}: ${prepared} by one statement, ${refused} with errors`);
  // What the generator makes must reach what is tested.
  expect(prepared).toBeGreaterThan(RUNS / 4);
  expect(refused).toBeGreaterThan(RUNS / 50);
});

async function ask({ query, variables }: RandomOperation) {
  statements = [];
  accesses = [];
  const reply = await gateway.post(
    '/graphql',
    { 'content-type': 'application/json' },
    JSON.stringify({ query, variables }),
  );
  const { extensions, ...body } = reply.body as {
    data?: object;
    errors?: object[];
    extensions?: { cost: { remaining: number }; rateLimit: { remaining: number } };
  };
  const [access] = accesses;
  const before = remaining;
  remaining = extensions?.rateLimit.remaining ?? NaN;
  const headers = Object.entries(reply.headers).filter(
    ([name]) => !['date', 'content-length', 'x-request-id'].includes(name),
  );
  const answer = {
    ...{ status: reply.status, headers, body },
    ...{ cost: access?.record.cost, operation: access?.record.operation, charge: before - remaining },
    ...{ told: { ...extensions?.cost, remaining: 0 }, agrees: extensions?.cost.remaining === remaining },
    standing: { ...extensions?.rateLimit, remaining: 0, resetSeconds: 0 },
  };
  return { body, answer, statements };
}

let remaining = 1e9;

/** The same token for the same place of the same list, so that answers can be compared. */
function repeatable(codec: TokenCodec): TokenCodec {
  const places = new Map<string, bigint>();
  return {
    ...codec,
    issue(query, position) {
      const hex = createHash('sha256').update(query).update(String(position)).digest('hex');
      const token = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      places.set(`${token} ${query.toString('hex')}`, position);
      return token;
    },
    read: (query, token, ...rest) =>
      places.get(`${token} ${query.toString('hex')}`) ?? codec.read(query, token, ...rest),
  };
}

/** Cursors of the lists of the query in an answer, by field. */
function cursorsIn(data: object | null | undefined): [field: string, cursor: string][] {
  return Object.values(data ?? {}).flatMap((list: any) => {
    const rows = (list?.edges ?? []) as { cursor?: string; node?: object }[];
    const ends = [
      list?.pageInfo?.endCursor,
      list?.pageInfo?.startCursor,
      ...rows.map(({ cursor }) => cursor),
    ];
    return ends.flatMap((cursor) =>
      typeof cursor === 'string'
        ? [
            'utxos',
            'transactions',
            'vertices',
            'chains',
            'icmMessages',
            'assets',
            'subnets',
            'validators',
          ].map((name) => [`Query.${name}`, cursor] as [string, string])
        : [],
    );
  });
}

interface IcmEnds {
  sourceTransaction?: { txHash: string; timestamp: number };
  destinationTransaction?: { txHash: string };
  sourceBlockchainId: string;
  sourceEvmChainId: string;
  from: string;
  to: string;
}

function argumentPools(random: Random): ArgumentPools {
  const sample = readSample();
  const hashes = sample.allTransactions.map(({ txHash }) => txHash);
  const idsOf = (name: 'nodeId' | 'subnetId') =>
    sample.allTransactions.flatMap((each) => (each as { [id in typeof name]?: string })[name] ?? []);
  const blockNumbers = sample.allTransactions.flatMap(({ blockNumber }) => blockNumber ?? []);
  const vertices = sample
    .rowsOf<{ vertexHash: string }>('fuji.x-chain.vertices')
    .map((each) => each.vertexHash);
  const addresses = [...new Set(sample.allUtxos.flatMap((each) => each.addresses))];
  const messages = sample.rowsOf<IcmEnds>('fuji.icm.messages');
  const ends = messages.flatMap((each) => [each.sourceBlockchainId, each.sourceEvmChainId]);
  const transactions = messages.flatMap(({ sourceTransaction, destinationTransaction }) =>
    [sourceTransaction, destinationTransaction].flatMap((each) => (each ? [each.txHash] : [])),
  );
  const moments = messages.flatMap(({ sourceTransaction }) => sourceTransaction?.timestamp ?? []);
  const some = <T>(items: readonly T[]) => random.some(items, 12);
  return {
    network: { right: ['fuji', 'fuji', 'fuji', 'fuji', 'testnet', 'mainnet'], wrong: ['nowhere', null] },
    blockchainId: { right: ['p-chain', 'p-chain', 'x-chain', 'c-chain'], wrong: ['d-chain', null] },
    txHash: { right: [...some(hashes), extremes().txHash, extremes().txHash], wrong: ['notAnId', null] },
    validationId: {
      right: some(
        sample.allTransactions.flatMap(({ l1ValidatorDetails }) =>
          (l1ValidatorDetails ?? []).map((each) => each.validationId),
        ),
      ),
      wrong: ['notAnId', null],
    },
    metric: { right: ['perSubnetDailyFeesPaid', 'perSubnetPayingValidators'], wrong: ['fees', null] },
    utxoId: {
      right: [...some(sample.allUtxos.map(({ utxoId }) => utxoId)), hashes[0]],
      wrong: ['notAnId', null],
    },
    vertexHash: { right: [...some(vertices), hashes[0]], wrong: ['notAnId', null] },
    txType: { right: ['BaseTx', 'AddPermissionlessValidatorTx', 'ImportTx', null], wrong: ['NoTx'] },
    txTypes: {
      right: [['BaseTx', 'ImportTx'], ['CreateSubnetTx', 'RewardValidatorTx'], [], null],
      wrong: [['NoTx']],
    },
    nodeId: { right: [...some(idsOf('nodeId')), null], wrong: ['notANode'] },
    subnetId: { right: [...some(idsOf('subnetId')), null], wrong: ['notAnId'] },
    number: { right: [...some(blockNumbers), ...some(blockNumbers), '1', null], wrong: ['-1'] },
    hash: { right: [hashes[0], null, null, null], wrong: ['notAHash'] },
    startBlock: { right: [0, '2000000', '1e6', null], wrong: ['half'] },
    endBlock: { right: ['2078632', '18446744073709551616', null], wrong: [-1] },
    addresses: { right: [[], some(addresses), [addresses[0]], null], wrong: [['notAnAddress']] },
    address: { right: some(addresses), wrong: ['notAnAddress', null] },
    feature: { right: ['nftIndexing', 'webhooks', null] },
    sourceBlockchainId: { right: [...some(ends), '43113', null], wrong: ['notAChain'] },
    destinationBlockchainId: { right: [...some(ends), null], wrong: ['notAChain'] },
    'Query.icmMessages.txHash': {
      right: [...some(transactions), `0x${'7'.repeat(64)}`, null],
      wrong: [hashes[0]],
    },
    'Query.icmMessages.since': { right: [...some(moments), '18446744073709551615', null], wrong: [-1] },
    'Query.icmMessages.until': { right: [...some(moments), '18446744073709551615', null], wrong: [-1] },
    from: { right: [...some(messages.map((each) => each.from)), null], wrong: ['0x1'] },
    to: { right: [...some(messages.map((each) => each.to)), null], wrong: ['0x1'] },
    since: { right: [0, '1784820152', 1784820152, null], wrong: [-1, 'then'] },
    until: { right: ['1784820152', '18446744073709551615', null], wrong: [-1] },
    assetId: { right: ['U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK', null], wrong: ['notAnId'] },
    minUtxoAmount: { right: ['0', '1000000000', 1, null], wrong: ['many'] },
    includeSpent: { right: [true, true, false, null] },
    state: {
      right: ['SPENDABLE', 'SPENDABLE', 'LOCKED_PLATFORM', 'LOCKED_STAKEABLE', 'STAKED', 'IN_FLIGHT', null],
      wrong: ['GONE'],
    },
    at: { right: [0, '1784820152', '18446744073709551615', null, null], wrong: [-1] },
    multiSignature: { right: [true, false, null] },
    sortBy: { right: ['timestamp', 'amount', null] },
    sortOrder: { right: ['asc', 'desc', null] },
    asOf: {
      right: [{ time: 1_784_820_152 }, { time: '1793153964' }, { block: '2078632' }, null, null, null],
      wrong: [{}, { time: -1 }, { time: 1, block: 1 }],
    },
    firstDate: { right: ['2026-10-01', '2026-07-01', null], wrong: ['then'] },
    lastDate: { right: ['2026-10-31', '2026-12-31', null], wrong: ['2001-01-01'] },
    first: { right: [1, 2, 3, 5, 10, null], wrong: [0, 101] },
    last: { right: [1, 2, 4, null], wrong: [0] },
    after: { right: ['', null], wrong: ['00000000-0000-4000-8000-000000000000', 'notAToken'] },
    before: { right: ['', null], wrong: ['notAToken'] },
  };
}
