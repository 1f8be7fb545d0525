import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      'data',
      'coverage',
      'src/generated',
      'explorer/generated',
      'node_modules',
      'test/clients/*/main.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      // A transaction has one of 23 types, of which a function handles some.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        {
          considerDefaultExhaustiveForUnions: false,
          allowDefaultCaseForExhaustiveSwitch: false,
          requireDefaultForNonUnion: false,
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // The environment is read in one place, so that `moraine config` can list all of it.
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in src/config.ts alone.' },
      ],
      // Members one a line, as Prettier puts them: a literal that is made only to be spread costs time, and hides how long a file is.
      'no-restricted-syntax': [
        'error',
        ...[
          'ObjectExpression > SpreadElement > ObjectExpression',
          ':not(ObjectExpression) > SpreadElement > ArrayExpression',
        ].map((selector) => ({ selector, message: 'Write the members themselves.' })),
        {
          selector:
            'CallExpression[callee.object.name="Object"][callee.property.name="assign"] > ObjectExpression[properties.length>0] ~ ObjectExpression[properties.length>0]',
          message: 'Write one literal.',
        },
        {
          // BalanceParts is a type of the GraphQL schema.
          selector: 'Identifier[name=/^(?!BalanceParts$)(terms|places?|.*(Terms|Parts|Places?))$/]',
          message: 'Name the role, as …Options, …Deps, …Context or position: see CONTRIBUTING.md, "Names".',
        },
      ],
      // Prettier leaves comments as they are: they keep to its width too.
      'max-len': ['error', { code: 100_000, comments: 110, ignoreUrls: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/config.ts', 'test/**', 'bench/**', 'bin/**', '*.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: ['src/**', 'packages/**', 'explorer/**'],
    rules: {
      'max-lines': ['error', 200],
      'max-lines-per-function': ['error', { max: 80, IIFEs: true }],
    },
  },
  {
    // Tests read whatever a reply holds.
    files: ['test/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'vitest', importNames: ['it'], message: 'A test is a `test`, its title a sentence.' },
          ],
        },
      ],
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
