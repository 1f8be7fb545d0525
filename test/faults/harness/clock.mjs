// Loaded with --import: gives a process a wall clock that steps when CLOCK_FILE is written and SIGUSR2 arrives. Timers
// and performance.now() do not change, like when the system's clock is set.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let stepMs = 0;
const now = () => RealDate.now() + stepMs;

class SteppedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
}

globalThis.Date = SteppedDate;
process.on('SIGUSR2', () => {
  stepMs = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
});
