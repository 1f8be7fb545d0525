import { isatty } from 'node:tty';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config.js';
import { textStream } from './text-log.js';

type LogConfig = Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>;

/** Standard output or standard error. */
type Descriptor = 1 | 2;

/**
 * The log on one of this process's outputs, in the format of LOG_FORMAT.
 *
 * @param screen receives the lines instead, and shows them on that output
 */
export function openLog(config: LogConfig, descriptor: Descriptor = 1, screen?: DestinationStream): Logger {
  const isTerminal = isatty(descriptor);
  const stream = descriptor === 1 ? process.stdout : process.stderr;
  const output = screen ?? openOutput(descriptor, stream);
  const options = { level: config.LOG_LEVEL };
  if (!isText(config, descriptor)) return pino(options, output);
  return pino(options, textStream(output, { stream, isTerminal }));
}

function openOutput(descriptor: Descriptor, stream: NodeJS.WriteStream): DestinationStream {
  // Written at once to a terminal, so that what else is printed there comes in order.
  const output = pino.destination({ dest: descriptor, sync: isatty(descriptor) });
  // pino goes on in silence when nobody reads; who listens to the stream's errors ends the process.
  return output.on('error', (error: Error) => {
    // At the end of the process pino writes the rest, and on a full disk it tries for ever (sonic-boom,
    // flushSync).
    output.flushSync = output.end = () => undefined;
    stream.destroy(error);
  });
}

/** Whether the log on this output is text for people, not JSON. */
export function isText({ LOG_FORMAT }: LogConfig, descriptor: Descriptor): boolean {
  return LOG_FORMAT === 'auto' ? isatty(descriptor) : LOG_FORMAT === 'text';
}
