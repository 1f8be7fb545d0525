/** The L1s of the sample: each becomes one on the P-chain, has an EVM chain, ICM messages and metrics. */
export interface L1Description {
  chainName: string;
  evmChainId: number;
  token: { name: string; symbol: string };
  description: string;
}

export const l1Descriptions: readonly L1Description[] = [
  {
    chainName: 'Cirque Arcade',
    evmChainId: 7_310_001,
    token: { name: 'Cirque', symbol: 'CIRQ' },
    description: 'Turn-based games whose moves are transactions. Part of the generated sample.',
  },
  {
    chainName: 'Esker Market',
    evmChainId: 7_310_002,
    token: { name: 'Esker', symbol: 'ESK' },
    description: 'An order book for tokenized freight. Part of the generated sample.',
  },
  {
    chainName: 'Tarn Registry',
    evmChainId: 7_310_003,
    token: { name: 'Tarn', symbol: 'TARN' },
    description: 'A registry of water rights. Part of the generated sample.',
  },
];

/** An L1 as the P-chain made it. */
export interface L1 extends L1Description {
  subnetId: string;
  blockchainId: string;
  /** When it was converted, in Unix seconds. */
  since: number;
}
