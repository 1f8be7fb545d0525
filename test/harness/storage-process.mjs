// A process of its own that opens an embedded database, says so, and stays until its standard input ends. It runs what is
// built, like the command line: compiling the source would take longer than all that it does.
import { pino } from 'pino';
import { joinEmbedded } from '../../dist/src/storage/embedded.js';

const options = JSON.parse(process.argv[2] ?? '{}');
try {
  const { connection, leave } = await joinEmbedded({ ...options, log: pino({ level: 'silent' }) });
  process.stdout.write(`${JSON.stringify({ connection })}\n`);
  process.stdin.on('end', () => void leave().then(() => process.exit(0)));
  process.stdin.resume();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failure: error.message })}\n`);
  process.exitCode = 1;
}
