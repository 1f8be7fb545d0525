// The command line in a process of its own, without building first.
import { main } from '../../src/main.js';

await main(process.argv);
