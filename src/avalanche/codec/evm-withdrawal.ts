import { listRoot } from './list-root.js';
import { numberBytes, rlpBytes, rlpList } from './rlp.js';

/** A withdrawal of a block of Ethereum's form (EIP-4895): the account is credited without a transaction. */
export interface EvmWithdrawal {
  /** 0x and 40 digits in lower case. */
  readonly address: string;
  /** Its bytes in the tree of withdrawals. */
  readonly encoded: Uint8Array;
}

/** A member of a withdrawal that is missing or is not what it should be, for people. */
export class WithdrawalError extends Error {}

/** The root of these withdrawals of a block, as its header has it (`withdrawalsRoot`). */
export const withdrawalsRoot = (withdrawals: readonly EvmWithdrawal[]): string =>
  listRoot(withdrawals.map(({ encoded }) => encoded));

/** A withdrawal as eth_getBlockByNumber gives it. @throws WithdrawalError */
export function readWithdrawal(value: unknown): EvmWithdrawal {
  const member = (value ?? {}) as Readonly<Record<string, unknown>>;
  const number = (name: string) => rlpBytes(numberBytes(BigInt(text(member, name, /^0x[0-9a-f]{1,16}$/i))));
  const address = text(member, 'address', /^0x[0-9a-f]{40}$/i).toLowerCase();
  const account = rlpBytes(Buffer.from(address.slice(2), 'hex'));
  return {
    address,
    encoded: rlpList([number('index'), number('validatorIndex'), account, number('amount')]),
  };
}

function text(member: Readonly<Record<string, unknown>>, name: string, form: RegExp): string {
  const value = member[name];
  if (typeof value === 'string' && form.test(value)) return value;
  throw new WithdrawalError(`${name} of a withdrawal is not what it should be`);
}
