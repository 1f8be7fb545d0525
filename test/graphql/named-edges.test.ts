import { getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../sample/examples.js';
import { buildSchema } from '../../src/schema.js';
import { createApp, type TestApp } from '../harness/app.js';
import { ask, askTwice } from '../harness/ask.js';
import { idOf, transactionRow } from '../harness/ledger-rows.js';
import { importRows } from '../harness/seed.js';
import { countStatements } from '../harness/statements.js';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createApp({ MAX_COST: '1000000' }, { sample: true });
});
afterAll(() => gateway?.close());

/** What edges lead to: the id under which the query finds it, and the fields that are compared. */
const ends = {
  Subnet: {
    id: 'subnetId',
    compared: 'id subnetId creatingTransaction { txHash } transactions(first: 2) { nodes { txHash } }',
  },
  Validator: { id: 'nodeId', compared: 'id nodeId transactions(first: 2) { nodes { txHash } }' },
  L1Validator: {
    id: 'validationId',
    compared: 'id validationId weight changes(first: 2) { nodes { txHash } }',
  },
};
type End = keyof typeof ends;

const ofTypes = (...types: string[]) =>
  `transactions(network: fuji, blockchainId: "p-chain", txTypes: [${types.join(', ')}]`;
const l1Types = ['ConvertSubnetToL1Tx', 'RegisterL1ValidatorTx', 'SetL1ValidatorWeightTx'];

interface Edge {
  end: End;
  /** A list of the objects with the edge, left open. */
  list: string;
  /** The objects in each row that have the edge, by their path; the row itself if not given. */
  within?: string;
  /** Their field with the id; where it is null, so is the edge. That of the end if not given. */
  named?: string;
  /** Statements that read these objects; 1 if not given. */
  statements?: number;
}

const edges: Readonly<Record<string, Edge>> = {
  'Transaction.subnet': { end: 'Subnet', list: ofTypes('AddPermissionlessDelegatorTx', 'CreateChainTx') },
  'Transaction.validator': { end: 'Validator', list: ofTypes('AddPermissionlessDelegatorTx') },
  'BlockchainInfo.subnet': { end: 'Subnet', list: ofTypes('CreateChainTx'), within: 'blockchainInfo' },
  'L1ValidatorDetails.subnet': { end: 'Subnet', list: ofTypes(...l1Types), within: 'l1ValidatorDetails' },
  'L1ValidatorDetails.validator': {
    end: 'Validator',
    list: ofTypes(...l1Types),
    within: 'l1ValidatorDetails',
  },
  'L1ValidatorDetails.l1Validator': {
    end: 'L1Validator',
    list: ofTypes(...l1Types),
    within: 'l1ValidatorDetails',
  },
  'L1Validator.subnet': { end: 'Subnet', list: 'l1Validators(network: fuji' },
  'L1Validator.validator': { end: 'Validator', list: 'l1Validators(network: fuji' },
  'Chain.subnet': { end: 'Subnet', list: 'chains(network: fuji' },
  'Block.proposer': {
    end: 'Validator',
    list: 'blocks(network: fuji, blockchainId: "p-chain"',
    named: 'proposerNodeId',
  },
  'SubnetValidator.subnet': {
    end: 'Subnet',
    list: 'subnets(network: fuji',
    within: 'validators.nodes',
    statements: 2,
  },
  'SubnetValidator.validator': { end: 'Validator', list: 'currentValidators(network: fuji' },
  'Delegation.validator': {
    end: 'Validator',
    list: 'currentValidators(network: fuji',
    within: 'delegations.nodes',
    statements: 2,
  },
  'DelegatorStake.validator': { end: 'Validator', list: 'delegatorStakes(network: fuji' },
  'ValidatorStake.validator': { end: 'Validator', list: 'validatorStakes(network: fuji' },
  'HistoricalReward.validator': {
    end: 'Validator',
    list: `historicalRewards(network: fuji, addresses: ["${examples.busyAddress}"]`,
  },
  'PendingReward.validator': {
    end: 'Validator',
    list: ofTypes('AddPermissionlessDelegatorTx', 'AddPermissionlessValidatorTx'),
    within: 'rewardOwners.pendingRewards.nodes',
    statements: 3,
  },
};
const all = Object.entries(edges).map(([name, edge]) => ({ name, field: name.split('.')[1] ?? '', ...edge }));

type Row = Record<string, unknown>;

const keysOf = (within?: string) => within?.split('.') ?? [];

/** The objects with an edge, in a row of a list. */
const holders = (row: Row, within?: string): Row[] =>
  keysOf(within).reduce<Row[]>(
    (rows, key) => rows.flatMap((each) => [(each[key] ?? []) as Row | Row[]].flat()),
    [row],
  );

test('every field that leads to a subnet, a validator or an L1 validator is looked at here', () => {
  const found = Object.values(buildSchema().getTypeMap()).flatMap((type) =>
    isObjectType(type) && !/^(Query|\w+Connection|\w+Edge)$/.test(type.name) && !type.name.startsWith('__')
      ? Object.values(type.getFields())
          .filter((field) => getNamedType(field.type).name in ends)
          .map((field) => `${type.name}.${field.name}`)
      : [],
  );
  expect(found.sort()).toEqual(Object.keys(edges).sort());
});

describe.each(all)('$name', ({ field, end, list, within, named = ends[end].id, statements: read = 1 }) => {
  const { id, compared } = ends[end];
  const inHolder = (selection: string) =>
    keysOf(within).reduceRight((inner, key) => `${key} { ${inner} }`, selection);

  test('is what the query has by that id, on every row of the sample', async () => {
    // A blockchain's transaction says to which subnet it belongs.
    const ownId = within === 'blockchainInfo' ? '' : named;
    const query = `{ list: ${list}, first: 100) { nodes { ${within === 'blockchainInfo' ? id : ''} ${inHolder(`${ownId} ${field} { ${compared} }`)} } } }`;
    const data = await askTwice<{ list: { nodes: Row[] } }>(gateway, query);
    const known = new Map<string, unknown>();
    let met = 0;
    for (const row of data.list.nodes)
      for (const holder of holders(row, within)) {
        const value = (ownId ? holder[ownId] : row[id]) as string | null;
        if (ownId !== id && value === null) {
          expect(holder[field]).toBeNull();
          continue;
        }
        if (!known.has(String(value))) {
          const root = `${end.replace(/^[A-Z]\d?/, (start) => start.toLowerCase())}(network: fuji, ${id}: "${value}")`;
          known.set(String(value), (await ask<Row>(gateway, `{ found: ${root} { ${compared} } }`))['found']);
        }
        expect(holder[field]).not.toBeNull();
        expect(holder[field]).toEqual(known.get(String(value)));
        met += 1;
      }
    expect(met).toBeGreaterThan(1);
    expect(known.size).toBeGreaterThan(1);
  });

  test('is one statement more than its list, however many rows there are', async () => {
    for (const size of [2, 20]) {
      const query = `{ list: ${list}, first: ${size}) { nodes { ${inHolder(`${field} { ${id} }`)} } } }`;
      const { result, statements } = await countStatements(() => gateway.graphql(query));
      expect(result.errors).toBeUndefined();
      // Of objects without rows none are read.
      expect(statements.length).toBeLessThanOrEqual(read + 1);
    }
  });
});

test('they are null where a row names nothing, or what is no id', async () => {
  const amounts = { weight: 1, remainingBalance: 1 };
  const details = { ...amounts, validationId: idOf('kept'), nodeId: 'no node', subnetId: 'no subnet' };
  const rows = [
    transactionRow('of names that are none', {
      txType: 'SetL1ValidatorWeightTx',
      subnetId: 'no subnet',
      nodeId: 'no node',
      l1ValidatorDetails: [details, { ...details, validationId: 'no validation' }],
    }),
    transactionRow('of no names', {
      rewardAddresses: ['no address'],
      txType: 'CreateChainTx',
      blockchainInfo: { chainName: 'lonely', vmId: idOf('machine') },
    }),
  ];
  await importRows(gateway.storage, 'mainnet.p-chain.transactions', rows);
  const chain = { chainId: '7', chainName: 'of no subnet', isTestnet: false, description: '', isEvm: true };
  const more = { isActive: true, rpcUrl: 'https://chain.example/rpc' };
  const networkToken = { name: 'Coin', symbol: 'COIN', decimals: 18 };
  await importRows(gateway.storage, 'evm.chains', [{ ...chain, ...more, networkToken }]);
  const edgesOf = 'subnet { subnetId } validator { nodeId }';
  const data = await askTwice<{
    transactions: { nodes: Row[] };
    l1Validators: { nodes: Row[] };
    chains: { nodes: Row[] };
  }>(
    gateway,
    `{ transactions(network: mainnet, blockchainId: "p-chain") { nodes { txType rewardOwners { address } ${edgesOf}
        blockchainInfo { subnet { subnetId } } l1ValidatorDetails { ${edgesOf} l1Validator { validationId } } } }
      l1Validators(network: mainnet) { nodes { ${edgesOf} } }
      chains(network: mainnet) { nodes { chainName subnet { subnetId } } } }`,
  );
  const nothing = { subnet: null, validator: null };
  const byType = new Map(data.transactions.nodes.map((node) => [node['txType'], node]));
  expect(byType.get('SetL1ValidatorWeightTx')).toMatchObject({
    ...nothing,
    l1ValidatorDetails: [
      { ...nothing, l1Validator: { validationId: idOf('kept') } },
      { ...nothing, l1Validator: null },
    ],
  });
  expect(byType.get('CreateChainTx')).toMatchObject({
    ...nothing,
    blockchainInfo: { subnet: null },
    rewardOwners: [],
  });
  expect(data.l1Validators.nodes).toEqual([nothing]);
  expect(data.chains.nodes).toContainEqual({ chainName: 'of no subnet', subnet: null });
  // Only for these the second time is one statement.
  const own = `{ transactions(network: mainnet, blockchainId: "p-chain") { nodes { ${edgesOf} } } }`;
  expect(await askTwice(gateway, own)).toEqual({ transactions: { nodes: [nothing, nothing] } });
});

test('who is rewarded and who owns a subnet are addresses, and the manager of an L1 is a contract on its chain', async () => {
  const of = (type: string, selected: string) =>
    `${type}: transactions(network: fuji, blockchainId: "p-chain", txTypes: [${type}], first: 5) { nodes { ${selected} } }`;
  const query = `{ ${of('AddPermissionlessDelegatorTx', 'rewardAddresses rewardOwners { address }')}
    ${of('CreateSubnetTx', 'subnetOwnershipInfo { addresses owners { network address } }')}
    subnet(network: fuji, subnetId: "${examples.subnetId}") { owner { addresses owners { address } } }
    ${of('ConvertSubnetToL1Tx', 'rewardOwners { address } l1ValidatorManagerDetails { blockchainId contractAddress chain { blockchainId } contractEvmAddress { address chain { blockchainId } } }')} }`;
  type Owner = { addresses: string[]; owners: { network?: string; address: string }[] };
  type Nodes<Node> = { nodes: Node[] };
  const data = await askTwice<{
    AddPermissionlessDelegatorTx: Nodes<{ rewardAddresses: string[]; rewardOwners: object[] }>;
    CreateSubnetTx: Nodes<{ subnetOwnershipInfo: Owner }>;
    subnet: { owner: Owner };
    ConvertSubnetToL1Tx: Nodes<{ rewardOwners: null; l1ValidatorManagerDetails: Record<string, unknown> }>;
  }>(gateway, query);
  for (const { rewardAddresses, rewardOwners } of data.AddPermissionlessDelegatorTx.nodes)
    expect(rewardOwners).toEqual(rewardAddresses.map((address) => ({ address })));
  for (const { subnetOwnershipInfo } of data.CreateSubnetTx.nodes) {
    const { addresses, owners } = subnetOwnershipInfo;
    expect(owners).toEqual(addresses.map((address) => ({ network: 'fuji', address })));
  }
  expect(data.subnet.owner.owners).toEqual(data.subnet.owner.addresses.map((address) => ({ address })));
  for (const { nodes } of [data.CreateSubnetTx, data.ConvertSubnetToL1Tx, data.AddPermissionlessDelegatorTx])
    expect(nodes.length).toBeGreaterThan(1);
  for (const { rewardOwners, l1ValidatorManagerDetails } of data.ConvertSubnetToL1Tx.nodes) {
    const { blockchainId, contractAddress: address, ...edges } = l1ValidatorManagerDetails;
    const chain = { blockchainId };
    expect({ rewardOwners, ...edges }).toEqual({
      rewardOwners: null,
      chain,
      contractEvmAddress: { address, chain },
    });
  }
});
