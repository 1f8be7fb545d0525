import type { Endpoint } from './endpoint.js';
import type { EndpointCheck } from './endpoint-check.js';
import { chainIdQuestion } from './evm.js';
import { wrongAnswer } from './failed.js';

/** Lets only endpoints of one EVM chain take part: those that name its EVM chain id. */
export class ChainMembership implements EndpointCheck {
  /** @param evmChainId null: of any chain */
  constructor(private readonly evmChainId: bigint | null) {}

  check(endpoint: Endpoint): Promise<void> {
    endpoint.checking ??= this.compare(endpoint).finally(() => (endpoint.checking = undefined));
    return endpoint.checking;
  }

  private async compare(endpoint: Endpoint): Promise<void> {
    const question = chainIdQuestion();
    const given = await endpoint.ask(question, undefined);
    endpoint.isMember = this.evmChainId === null || given === this.evmChainId;
    if (endpoint.isMember) return;
    const text = `its EVM chain id is ${given}, not ${this.evmChainId}`;
    const other = wrongAnswer(question.path, 'other-network', text);
    endpoint.failed(question, other);
    throw other;
  }
}
