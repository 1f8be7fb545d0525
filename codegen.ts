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
/** Documents as texts, so that a browser needs no printer of them. */
const texts = { ...config, documentMode: 'string' };
const preset = { preset: 'client' as const, presetConfig: { fragmentMasking: false } };

const codegen: CodegenConfig = {
  // With the internal fields: bin/print-schema.ts writes it from the code.
  schema: 'src/generated/schema.graphql',
  generates: {
    'src/generated/graphql/': { ...preset, documents: ['src/resources/*/rest*.ts'], config },
    'explorer/generated/': {
      ...preset,
      documents: ['explorer/documents/*.graphql'],
      config: texts,
    },
    // Of pages whose scripts are files of their own, so that the others do not have their texts.
    ...Object.fromEntries(
      ['things', 'others'].map((file) => [
        `explorer/generated/${file}/`,
        {
          ...preset,
          documents: ['explorer/documents/lines.graphql', `explorer/documents/${file}/*.graphql`],
          config: texts,
        },
      ]),
    ),
  },
};

export default codegen;
