import type { CodegenConfig } from '@graphql-codegen/cli';
import { readFileSync } from 'node:fs';

// REST documents select `json`, the internal leaf of connections and rows, which the published schema leaves
// out: see src/graphql/internal.ts.
const published = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');
const connections = [...published.matchAll(/^type (\w+Connection) /gm)].map((match) => match[1]);
const internal = [...connections, 'Transaction', 'Chain', 'IcmMessage'].map(
  (type) => `extend type ${type} { json: JsonText! }`,
);

const config: CodegenConfig = {
  schema: ['schema.graphql', ['scalar JsonText', ...internal].join('\n')],
  documents: ['src/resources/*/rest.ts'],
  generates: {
    'src/generated/graphql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        importExtension: '.js',
        emitLegacyCommonJSImports: false,
        scalars: {
          BigNumber: 'string',
          Long: 'number | string',
          Decimal: 'string',
          Json: 'unknown',
          JsonText: 'string',
        },
      },
    },
  },
};

export default config;
