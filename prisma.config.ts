import { defineConfig } from 'prisma/config';

// `prisma generate` needs no schema engine, yet the CLI downloads one unless this names a file that exists.
// Moraine never calls that engine (migrations are plain SQL, see src/storage/migrate.ts), so any file will
// do.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;

export default defineConfig({ schema: 'prisma/schema.prisma' });
