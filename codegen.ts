import type { CodegenConfig } from '@graphql-codegen/cli';

/** How both generated folders write types. */
const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  strictScalars: true,
  importExtension: '.js' as const,
  emitLegacyCommonJSImports: false,
  scalars: {
    BigNumber: 'string',
    Long: 'number | string',
    Decimal: 'string',
    Json: 'unknown',
    JsonText: 'string',
  },
};
const preset = { preset: 'client' as const, presetConfig: { fragmentMasking: false } };

const codegen: CodegenConfig = {
  // With the internal fields: bin/print-schema.ts writes it from the code.
  schema: 'src/generated/schema.graphql',
  generates: {
    'src/generated/graphql/': { ...preset, documents: ['src/resources/*/rest*.ts'], config },
    // Texts, so that a browser needs no printer of documents.
    'explorer/generated/': {
      ...preset,
      documents: ['explorer/documents/*.graphql'],
      config: { ...config, documentMode: 'string' },
    },
  },
};

export default codegen;
