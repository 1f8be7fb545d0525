import type { TransactionTrace } from './evm-apis.js';
import { textOfError } from './envelope.js';
import { wrongAnswer } from './failed.js';
import { answerBytes, oneCall, type Question } from './question.js';
import { AnswerReader } from './answer-reader.js';

/** To trace a block, a node runs it again: a minute of silence. Its limit for a transaction is shorter. */
const patient = { silences: 6 } as const;
const options = { tracer: 'callTracer', timeout: '50s' } as const;

/** The traces of a block's transactions by callTracer. @param path of the chain's RPC */
export function traceQuestion(path: string, height: bigint): Question<readonly TransactionTrace[]> {
  const read = new AnswerReader(path);
  const params = [`0x${height.toString(16)}`, options];
  return {
    ...oneCall<readonly TransactionTrace[]>(
      path,
      'debug_traceBlockByNumber',
      params,
      answerBytes.large,
      (result) => read.list(result).map((each) => readTrace(path, each)),
    ),
    needs: { chain: 'C', height },
    ...patient,
  };
}

/** The trace of one transaction by callTracer. @param path of the chain's RPC @param height of its block */
export function singleTraceQuestion(path: string, hash: string, height: bigint): Question<TransactionTrace> {
  return {
    ...oneCall<TransactionTrace>(
      path,
      'debug_traceTransaction',
      [hash, options],
      answerBytes.large,
      (trace) => ({
        txHash: hash,
        trace,
      }),
    ),
    needs: { chain: 'C', height },
    ...patient,
  };
}

/** What `debug_traceBlockByNumber` says of a transaction. @param path for the failure @throws Failed */
export function readTrace(path: string, each: unknown): TransactionTrace {
  const { txHash = null, result, error = null } = (each ?? {}) as Record<string, unknown>;
  const hash = typeof txHash === 'string' ? txHash : null;
  if (error !== null && error !== '')
    throw wrongAnswer(
      path,
      'trace-refused',
      `transaction ${hash ?? 'of an unknown hash'}: ${textOfError(error)}`,
    );
  return { txHash: hash, trace: result };
}
