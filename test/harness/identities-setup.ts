import { beforeAll } from 'vitest';
import { adoptIdentities } from '../../src/avalanche/identity.js';

// Files share the modules of their worker: one that follows a network of its own would leave the next file
// the prefix of its addresses, also where that makes addresses while it is loaded.
adoptIdentities({});
beforeAll(() => adoptIdentities({}));
