import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // With the internal fields: bin/print-schema.ts writes it from the code.
  schema: 'src/generated/schema.graphql',
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
