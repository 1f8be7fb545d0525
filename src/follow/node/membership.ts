import type { Answer } from './apis.js';
import type { Endpoint } from './endpoint.js';
import type { EndpointCheck } from './endpoint-check.js';
import { Failed, wrongAnswer } from './failed.js';
import { majorityOf } from './majority.js';
import { answerBytes, infoPath, oneCall } from './question.js';
import { AnswerReader } from './answer-reader.js';

const read = new AnswerReader(infoPath);

/**
 * Lets only endpoints of one network take part: the same network id, X and C chain. More than half of those
 * that answer say which network that is; where there is no such majority, as of two, the first one does.
 */
export class Membership implements EndpointCheck {
  private agreed: Promise<Answer<string>> | undefined;

  /** @param endpoints all of them */
  constructor(private readonly endpoints: readonly Endpoint[]) {}

  check(endpoint: Endpoint): Promise<void> {
    endpoint.checking ??= this.compare(endpoint).finally(() => (endpoint.checking = undefined));
    return endpoint.checking;
  }

  private async compare(endpoint: Endpoint): Promise<void> {
    const own = { value: await idsOf(endpoint), endpoint: endpoint.name };
    this.agreed ??= this.agree(endpoint, own).catch((fault: unknown) => {
      // A fault of ours: the next check tries again.
      this.agreed = undefined;
      throw fault;
    });
    const agreed = await this.agreed;
    endpoint.isMember = own.value === agreed.value;
    if (!endpoint.isMember) throw refuse(endpoint, own.value, agreed);
  }

  private async agree(first: Endpoint, own: Answer<string>): Promise<Answer<string>> {
    // Of two none is most: a silent one need not be waited for.
    const others = this.endpoints.length < 3 ? [] : this.endpoints.filter((each) => each !== first);
    const each = await Promise.all(
      others.map(async (endpoint) => {
        try {
          return [{ value: await idsOf(endpoint), endpoint: endpoint.name, asked: endpoint }];
        } catch (error) {
          if (error instanceof Failed) return [];
          throw error;
        }
      }),
    );
    const agreed = majorityOf([own, ...each.flat()], Object.is) ?? own;
    // None of them is asked for what it says of its network.
    for (const { asked, value } of each.flat()) if (value !== agreed.value) refuse(asked, value, agreed);
    return agreed;
  }
}

/** Sets an endpoint of another network aside. */
function refuse(endpoint: Endpoint, ids: string, agreed: Answer<string>): Failed {
  const text = `${ids}; that of ${agreed.endpoint} is ${agreed.value}`;
  const other = wrongAnswer(infoPath, 'other-network', text);
  endpoint.failed({ path: infoPath, method: 'info.getNetworkID' }, other);
  return other;
}

/** @throws Failed */
async function idsOf(endpoint: Endpoint): Promise<string> {
  const ask = async (method: string, params: object, name: string) => {
    const readText = (result: unknown) => read.text(read.member(result, name));
    try {
      return await endpoint.ask(oneCall(infoPath, method, params, answerBytes.small, readText), undefined);
    } catch (error) {
      throw error instanceof Failed ? error.withMethod(method) : error;
    }
  };
  const [network, x, c] = await Promise.all([
    ask('info.getNetworkID', {}, 'networkID'),
    ask('info.getBlockchainID', { alias: 'X' }, 'blockchainID'),
    ask('info.getBlockchainID', { alias: 'C' }, 'blockchainID'),
  ]);
  return `network ${network}, X-chain ${x}, C-chain ${c}`;
}
