import type { Form } from '../../avalanche/text/read.js';
import { ofPrimaryChain } from './blockchain-loaders.js';
import { ofEvmAddress, ofEvmHash, ofToken } from './evm-loaders.js';
import type { Candidates, Search } from './fields.js';
import { ofAddress, ofId, ofNode, ofNumber, ofOutput } from './ledger-loaders.js';

/** What a text of a form is, or could be. */
export function candidatesOf(form: Form, search: Search): Candidates {
  switch (form.is) {
    case 'address':
      return ofAddress(form.network, form.address, search);
    case 'id':
      return ofId(form.id, search);
    case 'output':
      return ofOutput(form, search);
    case 'node':
      return ofNode(form.nodeId, search);
    case 'number':
      return ofNumber(form.number, search);
    case 'evmAddress':
      return ofEvmAddress(form.address, search);
    case 'evmHash':
      return ofEvmHash(form.hash, search);
    case 'token':
      return ofToken(form.address, form.tokenId, search);
    case 'chain':
      return ofPrimaryChain(form.chain, search);
  }
}
