import { reasonOf } from '../../storage/errors.js';
import { isStaleStatement } from '../../storage/read.js';
import { MissingBlocks, Outrun, PipelineStopped, WrongBlock } from '../errors.js';
import { NodeError, Outvoted } from '../node/error.js';
import type { Pipeline } from '../pipeline.js';

/** What a pipeline does after an error. */
export interface Verdict {
  /** `again`: at once; `wait`: after a pause; `renew`: on a new session; `stop`: not by itself. */
  readonly then: 'again' | 'wait' | 'renew' | 'stop';
  /** For people. */
  readonly note: string;
  /** Whether the log shows the error too: its stack and causes, which the note does not have. */
  readonly isFault?: true;
  /** The endpoint because of which it waits, where it is one. */
  readonly source?: string | null;
}

/** Judges an error of a pipeline's; sets the endpoint of a wrong block aside. */
export function verdictOn(error: unknown, pipeline: Pick<Pipeline, 'setAside' | 'name'>): Verdict {
  if (error instanceof WrongBlock) {
    // Its node, or what is stored, is on another chain: that is a node's word against another's.
    const { block, before } = error;
    let others = false;
    for (const source of new Set([before?.source ?? block.source, block.source]))
      others = pipeline.setAside(source, error.message);
    return { then: others ? 'again' : 'wait', note: error.message, source: block.source };
  }
  if (error instanceof PipelineStopped)
    return { then: 'stop', note: error.message, ...(error.cause !== undefined && { isFault: true }) };
  if (error instanceof Outvoted) return { then: 'again', note: error.message, source: error.endpoint };
  // What a node says stops nothing: another one, or the same one later, may say otherwise.
  if (error instanceof NodeError) return { then: 'wait', note: error.message, source: error.endpoint };
  if (error instanceof MissingBlocks) return { then: 'wait', note: error.message };
  if (error instanceof Outrun) return { then: 'renew', note: error.message };
  const reason = reasonOf(error);
  if (reason !== undefined) return { then: 'renew', note: reason };
  // A newer version has changed a table. A new session prepares its statements again.
  if (isStaleStatement(error)) return { then: 'renew', note: 'a table was changed by a migration' };
  const { message = String(error) } = error as Partial<Error>;
  return { then: 'stop', note: `a fault of Moraine in ${pipeline.name}: ${message}`, isFault: true };
}
