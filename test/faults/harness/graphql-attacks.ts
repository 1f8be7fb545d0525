import { Agent } from 'node:http';
import { onTestFinished } from 'vitest';
import * as documents from '../../harness/attack-documents.js';
import type { Attack } from './attacks.js';
import { send } from './send.js';

/** The address that they come from; the honest caller comes from another. */
const localAddress = '127.0.0.3';
const CONNECTIONS = 4;

const operation = (query: string, operationName?: string) => JSON.stringify({ query, operationName });

/** Bodies of what a stranger sends to GraphQL, each of the so many-th request. */
const bodies = {
  freeFields: (number: number) => operation(documents.sameFieldOverAndOver(`a${number}`)),
  paidFields: (number: number) =>
    operation(documents.sameFieldOverAndOver(`b${number}`, 'chains(first: 1) { nodes { chainId } }')),
  errorsAfterLines: (number: number) => operation(documents.errorsAfterLines(`c${number}`)),
  manyOperations: (number: number) =>
    operation(documents.manyOperations(`d${Math.floor(number / 60)}`), `q${number % 60}`),
  bodiesWithoutQuery: documents.bodyWithoutQuery,
  brackets: documents.brackets,
};

export type GraphQLAttack = keyof typeof bodies;

/** Four connections that send such bodies one after the other, within the limit of one stranger and beyond it. */
export function attackGraphQL(url: string, kind: GraphQLAttack): Attack {
  let stopped = false;
  let came = 0;
  onTestFinished(() => void (stopped = true));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const running = Array.from({ length: CONNECTIONS }, async () => {
    while (!stopped) {
      came += 1;
      await send(url, { path: '/graphql', post: bodies[kind](came) }, { agent, localAddress });
    }
  });
  return {
    get under() {
      return came;
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}
