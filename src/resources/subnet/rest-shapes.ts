import { parseJson, printJson } from '../../json.js';
import {
  addresses,
  boolean,
  digits,
  evmAddress,
  id,
  is,
  list,
  object,
  text,
  whole,
} from '../../fields/field.js';
import { ref, type JsonSchemas } from '../../fields/json-schema.js';
import { objectSchema, objectSchemas } from '../../fields/object-schema.js';
import type { ChainRowFragment, SubnetRowFragment } from '../../generated/graphql/graphql.js';
import { detailObjects } from '../transaction/details.js';
import { genesis, genesisSchemas } from '../transaction/genesis.js';
import { shapesText, shapeText, type Shape } from '../../rest/shape.js';

/** The block of a transaction that created something; null for the primary network. */
type Created = { blockTimestamp: number | string; blockNumber?: string | null } | null;
export type ListedSubnet = SubnetRowFragment & { creation: Created };
type Owner = NonNullable<NonNullable<SubnetRowFragment['owningTransaction']>['subnetOwnershipInfo']>;
type Manager = NonNullable<SubnetRowFragment['conversions']['nodes'][number]['l1ValidatorManagerDetails']>;

export const blockchainShape: Shape<ChainRowFragment & { json?: string }> = {
  blockchainId: { ...is(id, 'Id of the blockchain, CB58'), of: (chain) => chain.txHash },
  blockchainName: {
    ...is(text, 'Its name; empty where unknown'),
    of: (chain) => chain.blockchainInfo?.chainName ?? '',
  },
  vmId: {
    ...is(id, 'Id of its virtual machine, CB58', 'where unknown'),
    unknown: '',
    of: (chain) => chain.blockchainInfo?.vmId,
  },
  subnetId: {
    ...is(id, 'Id of its subnet, CB58', 'where unknown'),
    unknown: '',
    of: (chain) => chain.subnetId,
  },
  evmChainId: {
    ...is(whole, 'EVM chain id in its genesis', 'for other chains, and where unknown'),
    of: (chain) => chain.createdEvmChainId,
  },
  createBlockTimestamp: {
    ...is(whole, 'When the block that created it was made, Unix seconds'),
    of: (chain) => chain.blockTimestamp,
  },
  createBlockNumber: {
    ...is(digits, 'Number of that block'),
    of: (chain) => chain.blockNumber ?? '0',
  },
  genesisData: {
    ...is(
      genesis,
      'Its genesis: an object for an EVM chain, an encoded string for another kind',
      'in lists, and where unknown',
    ),
    of: ({ json }) => {
      const read =
        json === undefined ? {} : (parseJson(json) as { blockchainInfo?: { genesisData?: unknown } });
      const genesis = read.blockchainInfo?.genesisData;
      return genesis === undefined ? null : printJson(genesis);
    },
  },
};

const ownerShape: Shape<Owner> = {
  locktime: {
    ...is(whole, 'Unix seconds until which the owners cannot act; 0 for none'),
    of: (owner) => owner.locktime,
  },
  threshold: {
    ...is(whole, 'Number of owners that must sign; 0 where unknown'),
    of: (owner) => owner.threshold,
  },
  addresses: { ...is(addresses, 'Owners, bech32'), of: (owner) => JSON.stringify(owner.addresses) },
};
/** Of the primary network, and where no transaction says it. */
const nobody: Owner = { locktime: 0, threshold: 0, addresses: [] };
const ownerOf = ({ owningTransaction }: ListedSubnet) => owningTransaction?.subnetOwnershipInfo ?? nobody;

const managerShape: Shape<Manager> = {
  blockchainId: {
    ...is(id, 'Id of the blockchain of the contract, CB58'),
    of: (manager) => manager.blockchainId,
  },
  contractAddress: {
    ...is(evmAddress, 'Address of the contract, hex with 0x'),
    of: (manager) => manager.contractAddress,
  },
};

export const subnetShape: Shape<ListedSubnet> = {
  subnetId: { ...is(id, 'Id of the subnet, CB58'), of: (subnet) => subnet.subnetId },
  createBlockTimestamp: {
    ...is(whole, 'When the block that created it was made, Unix seconds; 0 for the primary network'),
    of: ({ creation }) => creation?.blockTimestamp ?? 0,
  },
  createBlockIndex: {
    ...is(digits, 'Number of that block; 0 for the primary network'),
    of: ({ creation }) => creation?.blockNumber ?? '0',
  },
  ownerAddresses: {
    ...is(addresses, 'The same as in subnetOwnershipInfo'),
    of: (subnet) => JSON.stringify(ownerOf(subnet).addresses),
  },
  threshold: {
    ...is(whole, 'The same as in subnetOwnershipInfo'),
    of: (subnet) => ownerOf(subnet).threshold,
  },
  locktime: { ...is(whole, 'The same as in subnetOwnershipInfo'), of: (subnet) => ownerOf(subnet).locktime },
  subnetOwnershipInfo: {
    ...is(object('SubnetOwnership'), 'Its newest owners; nobody for the primary network, and where unknown'),
    of: (subnet) => shapeText(ownerShape, ownerOf(subnet)),
  },
  isL1: { ...is(boolean, 'Whether it became an L1'), of: ({ conversions }) => conversions.nodes.length > 0 },
  l1ConversionTransactionHash: {
    ...is(id, 'Hash of the transaction that made it an L1, CB58', 'for one that is none'),
    of: ({ conversions }) => conversions.nodes[0]?.txHash,
  },
  l1ValidatorManagerDetails: {
    ...is(object('L1ValidatorManager'), 'The contract that manages its validators', 'for one that is no L1'),
    of: ({ conversions }) => {
      const manager = conversions.nodes[0]?.l1ValidatorManagerDetails;
      return manager && shapeText(managerShape, manager);
    },
  },
  blockchains: {
    ...is(list('Blockchain', ref('Blockchain')), 'Its blockchains, the newest first'),
    of: ({ chainCreations }) => shapesText(blockchainShape, chainCreations.nodes),
  },
};

export const subnetSchemas: JsonSchemas = {
  ...genesisSchemas,
  ...objectSchemas(detailObjects),
  Blockchain: objectSchema('A blockchain of a subnet.', blockchainShape),
  Subnet: objectSchema('A subnet, or the L1 that it became.', subnetShape),
};

/** As in the sample; the first blockchain is without its genesis, which is long. */
export const subnetExample = {
  subnetId: '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh',
  createBlockTimestamp: 1769857359,
  createBlockIndex: '718378',
  ownerAddresses: [
    'fuji186y78rmwuf697hn0h8u0vq909svcjne3x5nmq7',
    'fuji1j3whl82h00tl5dsgferl0040ejzfp4fq35xcam',
    'fuji1mzhzk3en00drwpj8f6dpmrf0x3mlff28dzg6dq',
  ],
  threshold: 2,
  locktime: 0,
  subnetOwnershipInfo: {
    locktime: 0,
    threshold: 2,
    addresses: [
      'fuji186y78rmwuf697hn0h8u0vq909svcjne3x5nmq7',
      'fuji1j3whl82h00tl5dsgferl0040ejzfp4fq35xcam',
      'fuji1mzhzk3en00drwpj8f6dpmrf0x3mlff28dzg6dq',
    ],
  },
  isL1: true,
  l1ConversionTransactionHash: '2THdfU43CSvvbJxtnvi2Dxs3EsT5GrNBb8mDbLxR47r1RnDq2h',
  l1ValidatorManagerDetails: {
    blockchainId: 'MsXx43PUQhySuXUDcfEof6Bn3Vn7H82oq7RWJhzWd6m6ggt6r',
    contractAddress: '0x0C9AAc8e9CF4e8b7E09EBB87d822b31bB7b27Ae9',
  },
  blockchains: [
    {
      blockchainId: 'MsXx43PUQhySuXUDcfEof6Bn3Vn7H82oq7RWJhzWd6m6ggt6r',
      blockchainName: 'Cirque Arcade',
      vmId: 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy',
      subnetId: '2uf7QFvZ7w4XToVfKm7o25h17KbdS7RaA6qNuZfokrcYxTpoWh',
      evmChainId: 7310001,
      createBlockTimestamp: 1770901904,
      createBlockNumber: '813336',
    },
  ],
};
export const blockchainExample = {
  blockchainId: 'yLBFGx6Gg2HQaAU2fWKmes7XnogpZk4vhePEVJ9PKFUVx9nnC',
  blockchainName: 'Tarn Registry',
  vmId: 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy',
  subnetId: '2EBHr3wpdTeXtVT2edhPnttzZTD1xsCg8PVQyghCSGTqBvjwvC',
  evmChainId: 7310003,
  createBlockTimestamp: 1776484443,
  createBlockNumber: '1320840',
};
