import { booleanArgument } from '../../arguments/common.js';
import {
  addresses,
  digits,
  evmHash,
  hex,
  id,
  is,
  nodeId as nodeIdKind,
  object,
  small,
  whole,
} from '../../fields/field.js';
import { objectSchema } from '../../fields/object-schema.js';
import { graphql } from '../../generated/graphql/gql.js';
import type { L1ValidatorRowFragment as Validator } from '../../generated/graphql/graphql.js';
import { defineListRoute } from '../../rest/list-route.js';
import { pageArguments } from '../../rest/parameter.js';
import { shapesText, shapeText, type Shape } from '../../rest/shape.js';
import { currentL1ValidatorArguments } from './arguments.js';

const validatorRow = graphql(`
  fragment L1ValidatorRow on L1Validator {
    validationId
    validationIdHex
    nodeId
    subnetId
    weight
    balance
    blsCredentials {
      publicKey
      proofOfPossession
    }
    balanceOwner {
      threshold
      addresses
    }
    creatingTransaction {
      blockTimestamp
    }
  }
`);

const newestBlock = graphql(`
  fragment NewestBlock on Query {
    blocks(network: $network, blockchainId: "p-chain", first: 1) {
      nodes {
        number
      }
    }
  }
`);

type Owner = NonNullable<Validator['balanceOwner']>;

const nobody: Owner = { threshold: 0, addresses: [] };

const ownerShape: Shape<Owner> = {
  addresses: { ...is(addresses, 'Owners, bech32'), of: (owner) => JSON.stringify(owner.addresses) },
  threshold: {
    ...is(small, 'Number of them that must sign; 0 where nobody is known'),
    of: (owner) => owner.threshold,
  },
};

const validatorShape: Shape<Validator> = {
  validationId: { ...is(id, 'Id of the validation period, CB58'), of: (one) => one.validationId },
  validationIdHex: {
    ...is(evmHash, 'The same as hex with 0x', 'where unknown'),
    unknown: '',
    of: (one) => one.validationIdHex,
  },
  nodeId: { ...is(nodeIdKind, 'Id of the node, NodeID-…'), of: (one) => one.nodeId },
  subnetId: { ...is(id, 'Id of the subnet that became the L1, CB58'), of: (one) => one.subnetId },
  weight: { ...is(whole, 'Its weight in the L1'), of: (one) => one.weight },
  remainingBalance: {
    ...is(whole, 'Its balance after the newest stored block, nAVAX: fees are deducted up to its time'),
    of: (one) => one.balance ?? 0,
  },
  creationTimestamp: {
    ...is(
      whole,
      'When the block of the transaction that registered it was made, Unix seconds; 0 where unknown',
    ),
    of: (one) => one.creatingTransaction?.blockTimestamp ?? 0,
  },
  blsCredentials: {
    ...is(object('L1BlsCredentials'), 'Its BLS key; empty where no indexed transaction says it'),
    of: (one) => JSON.stringify(one.blsCredentials ?? {}),
  },
  remainingBalanceOwner: {
    ...is(object('BalanceOwner'), 'Who gets what is left of its balance'),
    of: (one) => shapeText(ownerShape, one.balanceOwner ?? nobody),
  },
  deactivationOwner: {
    ...is(object('BalanceOwner'), 'Always nobody: who may disable it is not stored'),
    of: () => shapeText(ownerShape, nobody),
  },
};

const { network, subnetId, validationId } = currentL1ValidatorArguments;
const nodeId = currentL1ValidatorArguments.nodeId;

/** As in the sample. */
const example = {
  validationId: '1M2KK3CfuVCL1c8MY7ox4c1LJB68R6mwPHoHZeAu8oL8kGSDU',
  validationIdHex: '0x00c8ab222d669f3518d73e75a594a31e55084c5612ba3305dd17e73dfddbea9d',
  nodeId: 'NodeID-A9B1z9N9GzNK376G2qDV5et6dusVADSb3',
  subnetId: 'F1sWioptyR6kkSEg67jg1AqnVRy3PwbtB8Ge6V3mGBxB4LAzT',
  weight: 35800000000,
  remainingBalance: 29172745728,
  creationTimestamp: 1785903010,
  blsCredentials: {
    publicKey:
      '0x8b97b1d4f64e1423b3775812ac92a017e63da3802b2950f5a9a5948080d2d921196171e4c636c5e97a9c5e2bb5d78c8a',
    proofOfPossession:
      '0xf25879a20014b5e5c3f06fb5012e2e1c0f1404dc6faf2fb0d200907804e2265fb93a27fa898c38371135bda5556c6c947cf983ae4cbd6be50360c1d1edea09456263bd49f8dd7e3a4d595f3c700ab6190826f39b70b07647d33ece00791b915d',
  },
  remainingBalanceOwner: { addresses: ['fuji1m5f87lmwfjfc9x32ymehnlewrmsm483nqe2faq'], threshold: 1 },
  deactivationOwner: { addresses: [], threshold: 0 },
};

export const l1ValidatorRoutes = [
  defineListRoute({
    operation: 'ListL1Validators',
    path: '/v1/networks/{network}/l1Validators',
    summary: 'List L1 validators',
    description:
      'The L1 validators that are not removed, those with the largest balance first. Only active ones unless includeInactiveL1Validators is true.',
    parameters: {
      network,
      l1ValidationId: validationId,
      includeInactiveL1Validators: booleanArgument(
        'Whether those are listed too whose balance is spent.',
        false,
      ),
      nodeId,
      subnetId,
      ...pageArguments,
    },
    given: {
      passed: ['network'],
      values: ({ l1ValidationId, includeInactiveL1Validators, ...given }) => ({
        ...given,
        validationId: l1ValidationId,
        active: includeInactiveL1Validators ? null : true,
        blockchainId: 'p',
      }),
    },
    field: 'currentL1Validators',
    also: { fragment: newestBlock },
    nodes: { fragment: validatorRow, textOf: (nodes) => shapesText(validatorShape, nodes) },
    rows: { name: 'validators', words: 'L1 validators', schema: 'L1Validator', page: 'L1ValidatorPage' },
    schemas: {
      BalanceOwner: objectSchema('Owners of what an L1 validator returns.', ownerShape),
      L1BlsCredentials: objectSchema('A BLS key, or nothing.', {
        publicKey: is(hex, 'Compressed public key, hex with 0x', 'where unknown'),
        proofOfPossession: is(hex, 'Signature by that key over itself, hex with 0x', 'where unknown'),
      }),
      L1Validator: objectSchema('An L1 validator.', validatorShape),
    },
    more: {
      members: {
        blockHeight: {
          ...digits.schema,
          description: 'Number of the newest stored block of the P-chain, at which balances are computed.',
        },
      },
      textOf: (_values, { blocks }) => `,"blockHeight":"${blocks.nodes[0]?.number ?? '0'}"`,
    },
    example: { validators: [example], blockHeight: '2852861' },
  }),
];
