import type { IndexApi } from './apis.js';
import type { Caller } from './caller.js';
import { NodeError } from './error.js';
import { answerBytes, oneCall } from './question.js';
import { Reader } from './read.js';

/** `/ext/index/…`. */
export function indexApi(caller: Caller): IndexApi {
  return {
    lastAccepted: async (index, terms) => {
      const path = `/ext/index/${index}`;
      const read = new Reader(path);
      const params = { encoding: 'hex' };
      const question = oneCall(path, 'index.getLastAccepted', params, answerBytes.block, (result) => ({
        id: read.text(read.member(result, 'id')),
        bytes: read.checked(read.member(result, 'bytes')),
        timestamp: read.text(read.member(result, 'timestamp')),
        index: read.whole(read.member(result, 'index')),
      }));
      try {
        return await caller.call(question, terms);
      } catch (error) {
        if (error instanceof NodeError && error.reason === 'index-empty') return null;
        throw error;
      }
    },
  };
}
