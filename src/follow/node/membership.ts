import { wrongAnswer } from './failed.js';
import type { Endpoint } from './endpoint.js';
import { answerBytes, infoPath, oneCall } from './question.js';
import { AnswerReader } from './answer-reader.js';

const read = new AnswerReader(infoPath);

/** Decides whether an endpoint may be used: before its first call, and again after its connections broke. */
export interface EndpointCheck {
  /** @throws Failed `other-network` and what asking it throws */
  check(endpoint: Endpoint): Promise<void>;
}

/**
 * Lets only endpoints of one network take part: the same network id, X and C chain. The first that answers
 * says which network that is.
 */
export class Membership implements EndpointCheck {
  private agreed: { readonly ids: string; readonly endpoint: string } | undefined;

  check(endpoint: Endpoint): Promise<void> {
    endpoint.checking ??= this.compare(endpoint).finally(() => (endpoint.checking = undefined));
    return endpoint.checking;
  }

  private async compare(endpoint: Endpoint): Promise<void> {
    const ask = (method: string, params: object, name: string) =>
      endpoint.ask(
        oneCall(infoPath, method, params, answerBytes.small, (result) =>
          read.text(read.member(result, name)),
        ),
        undefined,
      );
    const [network, x, c] = await Promise.all([
      ask('info.getNetworkID', {}, 'networkID'),
      ask('info.getBlockchainID', { alias: 'X' }, 'blockchainID'),
      ask('info.getBlockchainID', { alias: 'C' }, 'blockchainID'),
    ]);
    const ids = `network ${network}, X-chain ${x}, C-chain ${c}`;
    this.agreed ??= { ids, endpoint: endpoint.name };
    endpoint.isMember = ids === this.agreed.ids;
    if (endpoint.isMember) return;
    const text = `${ids}; that of ${this.agreed.endpoint} is ${this.agreed.ids}`;
    const other = wrongAnswer(infoPath, 'other-network', text);
    endpoint.failed({ path: infoPath, method: 'info.getNetworkID' }, other);
    throw other;
  }
}
