import { badInput } from '../../../errors.js';
import { heldLatest } from '../../evm-holding/holders.js';
import { nativeHolding, erc20Holding } from '../../evm-holding/holding.js';
import { contractAddress, evmChainId, minBalance, nullable, tokenType } from '../parameter.js';
import { defineSubQuery } from '../sub-query.js';

export const latestBalance = defineSubQuery({
  type: 'LatestBalance',
  description:
    'Addresses that hold at least minBalance of the coin or of a token, by the newest known balance.',
  parameters: { evmChainId, tokenType, contractAddress: nullable(contractAddress), minBalance },
  forms: {
    OfCoin: { is: { tokenType: 'NATIVE' } },
    OfToken: { is: { tokenType: 'ERC20' }, needs: ['contractAddress'] },
  },
  check: ({ tokenType, contractAddress }) => {
    if (tokenType === 'ERC20' && contractAddress === null)
      throw badInput('contractAddress: is missing; tokenType ERC20 needs the address of the token');
  },
  resolve: ({ evmChainId, tokenType, contractAddress, minBalance }) =>
    heldLatest(
      tokenType === 'ERC20' ? erc20Holding(evmChainId, contractAddress as string) : nativeHolding(evmChainId),
      minBalance,
    ),
});
