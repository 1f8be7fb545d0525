import type { Container, IndexApi } from './apis.js';
import type { Caller } from './caller.js';
import { unlessRefused } from './error.js';
import { answerBytes, oneCall, readBy } from './question.js';
import { AnswerReader } from './answer-reader.js';

/** `/ext/index/…`. */
export function indexApi(caller: Caller): IndexApi {
  return {
    range: (index, from, count, { read: use, ...options } = {}) => {
      const path = `/ext/index/${index}`;
      const read = new AnswerReader(path);
      const params = { startIndex: from.toString(), numToFetch: String(count), encoding: 'hex' };
      const question = oneCall(path, 'index.getContainerRange', params, answerBytes.large, (result) =>
        read.list(read.member(result, 'containers')).map((each) => containerOf(read, each)),
      );
      return caller.call(readBy(question, use), options);
    },
    lastAccepted: async (index, options) => {
      const path = `/ext/index/${index}`;
      const read = new AnswerReader(path);
      const params = { encoding: 'hex' };
      const question = oneCall(path, 'index.getLastAccepted', params, answerBytes.block, (result) =>
        containerOf(read, result),
      );
      return unlessRefused(caller.call(question, options), ['index-empty'], null);
    },
  };
}

function containerOf(read: AnswerReader, value: unknown): Container {
  return {
    id: read.text(read.member(value, 'id')),
    bytes: read.checked(read.member(value, 'bytes')),
    timestamp: read.text(read.member(value, 'timestamp')),
    index: read.whole(read.member(value, 'index')),
  };
}
