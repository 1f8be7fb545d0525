import { readArguments } from '../../src/arguments/argument.js';
import { internalTxListArguments } from '../../src/resources/internal-tx/arguments.js';
import { internalTxList } from '../../src/resources/internal-tx/list.js';
import { addressAt } from '../../test/harness/generated-evm.js';
import { coldAddresses, hotAddresses, ranges, roles, type Blocks, type Role } from './frame-data.js';
import type { FilteredList, FilterSet } from './measure.js';

/**
 * Every filter and pair of filters of an address's internal transactions, for each part that it may take in
 * them.
 */
export function frameSets(): FilterSet[] {
  return roles.flatMap((role) => [
    byAddress(role),
    ...ranges.map(({ many, few }) => byBlocks(role, many, few)),
  ]);
}

function byAddress(role: Role): FilterSet {
  return {
    filters: `address as ${role}`,
    dense: list(hotAddresses[role], {}),
    sparse: coldAddresses[role].map((address) => ({ list: list(address, {}), parts: [] })),
  };
}

function byBlocks(role: Role, many: Blocks, few: Blocks[]): FilterSet {
  const address = hotAddresses[role];
  return {
    filters: [`address as ${role}`, ...Object.keys(many)].join(' + '),
    dense: list(address, many),
    sparse: few.map((blocks) => ({ list: list(address, blocks), parts: parts(address, blocks) })),
  };
}

/** The lists with one filter less. */
function parts(address: number, { startBlock, endBlock }: Blocks): FilteredList[] {
  return startBlock && endBlock
    ? [list(address, { startBlock }), list(address, { endBlock })]
    : [list(address, {})];
}

function list(number: number, blocks: Blocks): FilteredList {
  const address = addressAt(number);
  const query = { evmChainId: '7', address, ...readArguments(internalTxListArguments, { ...blocks }) };
  return {
    read: (storage, request) => internalTxList.readBatch(storage, [{ query, request }]),
    plain: {
      text: `FROM internal_tx i WHERE i.evm_chain_id = 7 AND decode(substr($1, 3), 'hex') IN (i.from_address, i.to_address)
        AND i.block_number >= coalesce($2::bigint, 0) AND ($3::bigint IS NULL OR i.block_number < $3::bigint)`,
      id: 'i.id',
      order: 'i.block_number DESC, i.tx_hash DESC, i.position DESC, i.tie DESC',
      values: [address, blocks.startBlock, blocks.endBlock],
    },
  };
}
