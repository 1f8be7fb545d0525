import type { Network } from '../../avalanche/networks.js';
import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { detailObjects, type DetailObjects } from './details.js';
import { genesisObjects, type GenesisNode } from './genesis.js';

/** What a blockchain needs of the transaction that created it. */
interface CreatedChain {
  network: Network;
  blockchainId: string;
  subnetId?: string | null;
}

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    BlsCredentials: DetailObjects['BlsCredentials'];
    L1ValidatorDetails: DetailObjects['L1ValidatorDetails'] & { network: Network };
    L1ValidatorManager: DetailObjects['L1ValidatorManager'];
    SubnetTransformation: DetailObjects['SubnetTransformation'];
    EvmAmount: DetailObjects['EvmAmount'];
    SubnetOwnership: DetailObjects['SubnetOwnership'] & { network: Network };
    BlockchainInfo: DetailObjects['BlockchainInfo'] & CreatedChain;
    GenesisData: GenesisNode;
    GenesisConfig: GenesisNode;
    GenesisFeeConfig: GenesisNode;
    GenesisWarpConfig: GenesisNode;
    GenesisAllowList: GenesisNode;
  }
}

export function registerTransactionDetails(builder: Builder): void {
  for (const [name, { description, fields }] of Object.entries(genesisObjects))
    builder.objectType(name as keyof typeof genesisObjects, {
      description: `${description} A field is null when the genesis does not have it.`,
      fields: (t) => exposeFields(t, fields),
    });
  for (const [name, { description, fields }] of Object.entries(detailObjects))
    builder.objectType(name as keyof DetailObjects, {
      description,
      fields: (t) => exposeFields(t, fields),
    });

  builder.objectFields('BlockchainInfo', (t) => ({
    genesisData: t.field({
      type: 'GenesisData',
      nullable: true,
      description: 'Genesis of an EVM chain; null for another kind of chain, or where unknown.',
      resolve: ({ genesisData }) => (typeof genesisData === 'object' ? genesisData : null),
    }),
    encodedGenesis: t.string({
      nullable: true,
      description:
        'Genesis of a chain that is not an EVM chain, in the encoding of its virtual machine; null for an EVM chain, or where unknown.',
      resolve: ({ genesisData }) => (typeof genesisData === 'string' ? genesisData : null),
    }),
  }));
}
