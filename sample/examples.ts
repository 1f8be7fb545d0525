/**
 * Names of things in the generated sample that are worth looking at, for documentation and first queries.
 * They are written out, because a page of documentation should not have to generate a year of transactions; a
 * test finds each of them in the sample.
 */
export const examples = Object.freeze({
  network: 'fuji',
  /** Owns several hundred outputs on P and X. */
  busyAddress: 'fuji1rh4rsdwnh5t3eqgnyhzyxw9zpvuxfa5lhw07vm',
  /** Unspent on the P- or X-chain, owned by two of three keys. */
  multisigUtxoId: '2CX4eXHHcmWDdEKHBCoYzaP7bpekahC5gJvZ115kDTeG1Rp7nG',
  /** Locked in a stake that is running, and stakeable only. */
  stakedUtxoId: '2ZRweZ7tq6f5JeXtuMvir5TuFfrgps6iykV2FCeg6emH7XbLZJ',
  /** What a validator earned from its delegators. */
  rewardUtxoId: 'rSVUxSweMaggGwn8KJGmzjUfZ2Tipqy5P8tPKA4VSxLfUXnJY',
  /** Exported, and not yet imported where it went. */
  exportedUtxoId: 'RMovZqz8yNCBT8Zhgy6FW5wx1KKyfr5DLmtiFaFuhCjRZavq6',
  /** X-chain assets other than AVAX: one in many small amounts, one of NFTs. */
  assetId: '2dfKt87wi2RdJYzAa8aZcuZZbdZZk4NcU2gzChhVPck6vs7Cb8',
  nftAssetId: 'hhBdoHhCLSWbrmuDPebejwDREYiAHQh4pDKBE2j5yyrxAZZjD',
  pChain: Object.freeze({
    /** Its stake is over and rewarded. */
    stakingTxHash: 'pV2UgLcZC9Pc94VdQH2PVSzurLV7FWQ6M9817yyFKMZX9TFYw',
    rewardTxHash: 'MrTqcTtg7FjwUz8txZUUv6Ka5b1rvaJp51Cu1xjySH114ifiK',
    /** Creates an EVM chain whose genesis fills every field. */
    createChainTxHash: 'MsXx43PUQhySuXUDcfEof6Bn3Vn7H82oq7RWJhzWd6m6ggt6r',
    convertSubnetTxHash: 'EU47sSi6o4WYxg5oeQyGqg1wJ6nSeUpmmZDGF4WYUGmkEF7WP',
    disableValidatorTxHash: 'SapnQr675Trheo98UycWv3rRDRobdcYHCJgqSottibQACLjs6',
    exportTxHash: '2NaE1UrNd1rCSu7TpgWxKGbsnkC5AeWtcirpQ9XyXzKJfffhqz',
  }),
  xChain: Object.freeze({
    baseTxHash: 'sg1jDHfk76siMdFhJc8NoZHbQcDWov9VSnaP1LqFW44ovy9pv',
    createAssetTxHash: '24TcsbiMEcCgQxpqFdRxXY4oN5FkQUW2mR54Nb5fGQ5Vh43T7N',
    operationTxHash: '2KZgkWAvkTtHqfQ3MisTVa3KrBeVEfVXveLP5t4acE4G8U4izn',
    /** Without a block: it is in `vertexHash`. */
    vertexTxHash: 'LLVpou1qy7RgsnH2mMpicuM3YkJ25AAkj1oVFYrjxt3Ln96FJ',
    vertexHash: '2Fk3JYS4RhC1Lqtk1HafF7evHa3uhvfqTowFK6zLZjpK1QbRjp',
  }),
  cChain: Object.freeze({
    importTxHash: 'xwzCz4m5xk7mSgW4JmvHMzoAkTQF2n5UdK9SJ9HQou5A5acEg',
    exportTxHash: 'X7XYGCuzktVGXBZTDzXNG5ZztQDHemWErRtRMdY6jkCCmCXY',
  }),
  evmChainId: '43113',
  /** Sends and receives several hundred internal transactions. */
  evmAddress: '0x46744D1FeD52681e9e0Eecd3135836e202528Aa2',
  erc20Address: '0x1a943f30c11fDA74EEA51F3Fd06188a2af722b1F',
  /** Delivered, with a reward and receipts. */
  icmMessageId: '093180beefefbbd862fd31d2adf9e99f7ca64d67bdf1f3633ae9ad4cec76a29d',
  /** An L1: its subnet, with metrics, and its chain, with messages. */
  subnetId: '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh',
  l1BlockchainId: 'MsXx43PUQhySuXUDcfEof6Bn3Vn7H82oq7RWJhzWd6m6ggt6r',
  nftCollection: '0x1C17F1568D8d5159e8A8662284203FCf2f19F8c6',
  nftTokenId: '1',
  /** The days with known balances. */
  firstDate: '2026-10-01',
  lastDate: '2026-10-30',
  /** Somebody held this much, in wei, on every one of those days, and a token of `nftCollection` too. */
  minBalance: '10000000000000000',
});
