import { badInput } from '../../../errors.js';
import { heldLatest } from '../../evm-holding/holders.js';
import { coin, token } from '../../evm-holding/holding.js';
import { contractAddress, evmChainId, minBalance, optional, tokenType } from '../parameter.js';
import { defineSubQuery } from '../sub-query.js';

export const latestBalance = defineSubQuery({
  type: 'LatestBalance',
  description: 'Holds at least minBalance of the coin or of a token by the newest known balance.',
  parameters: { evmChainId, tokenType, contractAddress: optional(contractAddress), minBalance },
  resolve: ({ evmChainId, tokenType, contractAddress, minBalance }) => {
    if (tokenType === 'NATIVE') return heldLatest(coin(evmChainId), minBalance);
    if (contractAddress === null)
      throw badInput('contractAddress: is missing; tokenType ERC20 needs the address of the token');
    return heldLatest(token(evmChainId, contractAddress), minBalance);
  },
});
