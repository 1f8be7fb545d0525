import { DAY_SECONDS } from '../../avalanche/seconds.js';
import type { ExportKind } from '../../export/kind.js';
import { evmChainsOf, inSelection } from '../../export/sql.js';
import { jsonText, type JsonField } from '../../storage/json-text.js';
import type { Holding } from './holding.js';

const contract: JsonField = {
  name: 'contractAddress',
  form: 'plain',
  sql: `'0x' || encode(h.contract, 'hex')`,
};
const date: JsonField = {
  name: 'date',
  form: 'plain',
  sql: `to_char(date '1970-01-01' + b.day, 'YYYY-MM-DD')`,
};
const address: JsonField = { name: 'address', form: 'plain', sql: 'a.checksummed' };
const amount = (name: string): JsonField => ({ name, form: 'plain', sql: 'b.balance' });

export const nativeBalanceExport = balanceExport('native-balances', 'native', [amount('balance')]);
export const erc20BalanceExport = balanceExport('erc20-balances', 'erc20', [contract, amount('balance')]);
/** How many NFTs of a contract addresses owned, by day. */
export const nftHoldingExport = balanceExport('nft-holdings', 'nft', [contract, amount('tokenCount')]);

function balanceExport(name: string, kind: Holding['kind'], fields: readonly JsonField[]): ExportKind {
  const text = jsonText([address, date, ...fields]);
  return {
    name,
    async files(selection, client) {
      return (await evmChainsOf(client, 'evm_holding', selection)).map((chain) => ({
        name: `evm.${chain}.${name}`,
        select: `
          SELECT ${text} FROM evm_holding h JOIN evm_balance b ON b.holding_id = h.id
          JOIN evm_address a ON a.id = b.address_id
          WHERE h.evm_chain_id = ${chain} AND h.kind = '${kind}' AND ${inSelection('b.day', selection, DAY_SECONDS)}
          ORDER BY h.contract, a.address, b.day`,
      }));
    },
  };
}
