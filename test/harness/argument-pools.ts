import { extremes } from './extremes.js';
import type { Random } from './random.js';
import type { ArgumentPools } from './random-document.js';
import { readSample } from './sample.js';

interface IcmEnds {
  messageId: string;
  sourceTransaction?: { txHash: string; timestamp: number };
  destinationTransaction?: { txHash: string };
  sourceBlockchainId: string;
  sourceEvmChainId: string;
  from: string;
  to: string;
}

/** Possible values of arguments on a gateway that has the sample and the extremes. */
export function argumentPools(random: Random): ArgumentPools {
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
  const parties = sample
    .rowsOf<{ from: { address: string } }>('evm.43113.internal-transactions')
    .flatMap(({ from }) => from.address)
    .concat(messages.map((each) => each.from));
  const contracts = sample
    .rowsOf<{ contractAddress: string }>('evm.43113.erc20-balances')
    .map((each) => each.contractAddress);
  const collections = sample.rowsOf<{ address: string }>('evm.nft-tokens').map((each) => each.address);
  const validations = sample.allTransactions.flatMap(({ l1ValidatorDetails }) =>
    (l1ValidatorDetails ?? []).map((each) => each.validationId),
  );
  const some = <T>(items: readonly T[]) => random.some(items, 12);
  return {
    network: { right: ['fuji', 'fuji', 'fuji', 'fuji', 'testnet', 'mainnet'], wrong: ['nowhere', null] },
    blockchainId: { right: ['p-chain', 'p-chain', 'x-chain', 'c-chain'], wrong: ['d-chain', null] },
    txHash: { right: [...some(hashes), extremes().txHash, extremes().txHash], wrong: ['notAnId', null] },
    validationId: { right: some(validations), wrong: ['notAnId', null] },
    metric: { right: ['perSubnetDailyFeesPaid', 'perSubnetPayingValidators'], wrong: ['fees', null] },
    'Query.l1Metric.metric': {
      right: ['totalValidatorFeesDaily', 'totalCumulativeFeesDaily', 'totalPayingValidatorsDaily'],
      wrong: ['fees', null],
    },
    'Query.nodeMetric.metric': {
      right: ['perNodeDailyFeesPaid', 'perNodeCumulativeFeesPaid'],
      wrong: ['fees', null],
    },
    'Query.nodeMetric.nodeId': {
      right: ['NodeID-A9B1z9N9GzNK376G2qDV5et6dusVADSb3', ...some(idsOf('nodeId'))],
      wrong: ['notANode', null],
    },
    'Query.validationMetric.metric': {
      right: ['validationFeesDaily', 'validationCumulativeFeesDaily'],
      wrong: ['fees', null],
    },
    'Query.validationMetric.l1ValidationId': {
      right: ['1M2KK3CfuVCL1c8MY7ox4c1LJB68R6mwPHoHZeAu8oL8kGSDU', ...some(validations)],
      wrong: ['notAnId', null],
    },
    utxoId: {
      right: [...some(sample.allUtxos.map(({ utxoId }) => utxoId)), hashes[0]],
      wrong: ['notAnId', null],
    },
    vertexHash: { right: [...some(vertices), hashes[0]], wrong: ['notAnId', null] },
    vertexHeight: { right: ['579', 580, null, null], wrong: [-1, 'high'] },
    txType: { right: ['BaseTx', 'AddPermissionlessValidatorTx', 'ImportTx', null], wrong: ['NoTx'] },
    txTypes: {
      right: [['BaseTx', 'ImportTx'], ['CreateSubnetTx', 'RewardValidatorTx'], [], null],
      wrong: [['NoTx']],
    },
    nodeId: { right: [...some(idsOf('nodeId')), null], wrong: ['notANode'] },
    subnetId: { right: [...some(idsOf('subnetId')), null], wrong: ['notAnId'] },
    l1ValidationId: { right: [...some(validations), null, null, null], wrong: ['notAnId'] },
    number: { right: [...some(blockNumbers), ...some(blockNumbers), '1', null], wrong: ['-1'] },
    proposer: { right: [...some(idsOf('nodeId')), null], wrong: ['notANode'] },
    hash: { right: [hashes[0], null, null, null], wrong: ['notAHash'] },
    startBlock: { right: [0, '2000000', '1e6', null], wrong: ['half'] },
    endBlock: { right: ['2078632', '18446744073709551616', null], wrong: [-1] },
    addresses: { right: [[], some(addresses), [addresses[0]], null], wrong: [['notAnAddress']] },
    address: { right: some(addresses), wrong: ['notAnAddress', null] },
    chainId: { right: ['43113', '43113', ...some(ends), '99999999999999999999'], wrong: ['notAChain'] },
    'Query.evmAddress.address': { right: some(parties), wrong: ['0x1'] },
    'Query.chainsOfEvmAddress.address': { right: some(parties), wrong: ['0x1'] },
    'Query.icmMessages.address': {
      right: [...some(messages.map((each) => each.from)), null, null, null],
      wrong: ['0x1'],
    },
    'Query.addresses.addresses': { right: [[], some(addresses), [addresses[0]]], wrong: [['notAnAddress']] },
    'Query.chainBalances.addresses': { right: [some(addresses), [addresses[0]]], wrong: [['notAnAddress']] },
    'Query.lastActivity.addresses': { right: [some(addresses), [addresses[0]]], wrong: [['notAnAddress']] },
    contractAddresses: { right: [some(contracts), [], null, null], wrong: [['0x1']] },
    nodeIds: { right: [some(idsOf('nodeId')), null], wrong: [['notANode']] },
    'EvmAddress.dailyBalances.contract': { right: [...some(contracts), null, null], wrong: ['0x1'] },
    direction: { right: ['sent', 'received', null] },
    feature: { right: ['nftIndexing', 'webhooks', null] },
    sourceBlockchainId: { right: [...some(ends), '43113', null], wrong: ['notAChain'] },
    destinationBlockchainId: { right: [...some(ends), null], wrong: ['notAChain'] },
    'Query.icmMessages.txHash': {
      right: [...some(transactions), `0x${'7'.repeat(64)}`, null],
      wrong: [hashes[0]],
    },
    'Query.icmMessages.since': {
      right: [...some(moments), '253402300799', null],
      wrong: [-1, 1_784_820_152_000],
    },
    'Query.icmMessages.until': {
      right: [...some(moments), '253402300799', null],
      wrong: [-1, 1_784_820_152_000],
    },
    from: { right: [...some(messages.map((each) => each.from)), null], wrong: ['0x1'] },
    to: { right: [...some(messages.map((each) => each.to)), null], wrong: ['0x1', ''] },
    since: { right: [0, '1784820152', 1784820152, null], wrong: [-1, 'then'] },
    until: { right: ['1784820152', '253402300799', null], wrong: [-1, 1_784_820_152_000] },
    assetId: { right: ['U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK', null], wrong: ['notAnId', ''] },
    'Query.search.text': {
      right: [
        ...some([...hashes, ...addresses, ...vertices, ...blockNumbers, ...idsOf('nodeId')]),
        ...some([...transactions, ...parties, ...messages.map(({ messageId }) => messageId)]),
        ...some(hashes).map((hash) => hash.slice(0, 9)),
        'c-chain',
        '43113',
        'ava',
        'notAnId',
        '',
      ],
      wrong: ['9'.repeat(8193), null],
    },
    'Query.searchSuggestions.text': {
      right: ['ava', 'c', '', ...some(hashes).map((hash) => hash.slice(0, 9)), ...some(parties)],
      wrong: ['9'.repeat(8193), null],
    },
    minUtxoAmount: { right: ['0', '1000000000', 1, null], wrong: ['many'] },
    includeSpent: { right: [true, true, false, null] },
    state: {
      right: ['SPENDABLE', 'SPENDABLE', 'LOCKED_PLATFORM', 'LOCKED_STAKEABLE', 'STAKED', 'IN_FLIGHT', null],
      wrong: ['GONE'],
    },
    at: { right: [null, null, null, '1784820152', 0], wrong: [-1, '1784820152000'] },
    locksAt: { right: [0, '1784820152', '253402300799', null, null], wrong: [-1, '1784820152000'] },
    active: { right: [true, true, false, null] },
    minWeight: { right: ['0', '30000000000', 1.5, null, null], wrong: ['much'] },
    maxDelegationFeePercent: { right: ['100', 12, '7.5', null, null], wrong: [101, '2.00001'] },
    minUptimePerformance: { right: ['0', 50, null, null, null], wrong: [101] },
    maxUptimePerformance: { right: ['100', 0, null, null, null], wrong: [-1] },
    minDelegationCapacity: { right: ['0', 1, null, null], wrong: ['much'] },
    endsAfter: { right: [0, '1793153964', null, null], wrong: [-1, 'then'] },
    endsBefore: { right: ['1793153964', '253402300799', null, null], wrong: [-1] },
    nodeIdContains: { right: ['NodeID', 'a', 'zzzzzz', null, null], wrong: ['', 'n'.repeat(41)] },
    minBalance: { right: ['0', '1000000000', null, null], wrong: ['much'] },
    runsDryBefore: { right: ['1799999999', '253402300799', null, null], wrong: [-1] },
    'Query.currentValidators.sortBy': { right: ['weight', 'endTimestamp', 'delegationFee', null] },
    'Subnet.currentValidators.sortBy': { right: ['weight', 'endTimestamp', 'delegationFee', null] },
    'Query.currentL1Validators.sortBy': { right: ['balance', 'weight', null] },
    'Subnet.currentL1Validators.sortBy': { right: ['balance', 'weight', null] },
    multiSignature: { right: [true, false, null] },
    sortBy: { right: ['timestamp', 'amount', null] },
    sortOrder: { right: ['asc', 'desc', null] },
    asOf: {
      right: [{ time: 1_784_820_152 }, { time: '1793153964' }, { block: '2078632' }, null, null, null],
      wrong: [{}, { time: -1 }, { time: 1_784_820_152_000 }, { time: 1, block: 1 }],
    },
    status: { right: ['delivered', 'pending', null] },
    'Query.webhooks.status': { right: ['active', 'inactive', null] },
    'Query.webhook.id': { right: ['0b7e2f6a-5d3c-4c1e-9a52-6f0d1e8c4b11'] },
    blockNumber: { right: ['2078632', 1, null], wrong: ['half'] },
    collection: { right: [...some(collections), null, null], wrong: ['0x1'] },
    startTimestamp: { right: [0, '1784820152', null], wrong: [1_784_820_152_000] },
    endTimestamp: { right: ['1784820152', '253402300799', null], wrong: [-1] },
    firstDate: { right: ['2026-10-01', '2026-07-01', null], wrong: ['then'] },
    lastDate: { right: ['2026-10-31', '2026-12-31', null], wrong: ['2001-01-01'] },
    first: { right: [0, 1, 2, 3, 5, 10, null], wrong: [-1, 101] },
    last: { right: [0, 1, 2, 4, null], wrong: [-1] },
    after: { right: ['', null], wrong: ['00000000-0000-4000-8000-000000000000', 'notAToken'] },
    before: { right: ['', null], wrong: ['notAToken'] },
  };
}
