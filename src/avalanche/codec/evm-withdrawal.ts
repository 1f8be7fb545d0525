import { Members } from './evm-members.js';
import { listRoot } from './list-root.js';
import { rlpBytes, rlpList } from './rlp.js';

/** A withdrawal of a block of Ethereum's form (EIP-4895): the account is credited without a transaction. */
export interface EvmWithdrawal {
  /** 0x and 40 digits in lower case. */
  readonly address: string;
  /** Its bytes in the tree of withdrawals. */
  readonly encoded: Uint8Array;
}

/** The root of these withdrawals of a block, as its header has it (`withdrawalsRoot`). */
export const withdrawalsRoot = (withdrawals: readonly EvmWithdrawal[]): string =>
  listRoot(withdrawals.map(({ encoded }) => encoded));

/** A withdrawal as eth_getBlockByNumber gives it. @throws MemberError */
export function readWithdrawal(value: unknown): EvmWithdrawal {
  const member = new Members(value, 'a withdrawal');
  const [index, validator, amount] = ['index', 'validatorIndex', 'amount'].map((name) =>
    rlpBytes(member.shortest(name)),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const account = rlpBytes(member.bytes('address', 20));
  return { address: member.text('address', 20), encoded: rlpList([index, validator, account, amount]) };
}
