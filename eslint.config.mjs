import tseslint from 'typescript-eslint';

const refuse = (selector, message) => ({ selector, message });

/** Traps of this stack that the compiler does not report; each was walked into once. */
const TRAPS = [
  refuse("CallExpression[callee.property.name='orWhere']", 'OR outside brackets escapes the tenant filter.'),
  refuse(
    "CallExpression[callee.property.name='save']",
    'save() overwrites what others changed; use a conditional update.',
  ),
  refuse(
    "CallExpression[callee.property.name='getRepository']",
    'Repositories are reached through a Transaction only.',
  ),
  refuse(
    'CallExpression[callee.property.name=/^(find|findOne|count|exists|sum)(By)?$/] > ObjectExpression[properties.length=0]',
    'An empty filter touches every row.',
  ),
  refuse("Identifier[name='forwardRef']", 'A cycle means that a third thing wants a name.'),
  refuse(
    "CallExpression[callee.name='UseInterceptors']",
    'An interceptor costs as much as a third of an empty route; see wrap-handler.ts.',
  ),
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      '**/dist/',
      'node_modules/',
      'coverage/',
      'libs/sdk/src/generated/',
      '.agentflow/',
      'test/interop/.cache/',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A value import of a DTO or an injected class must not become a type import: validation or injection would fail.
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-syntax': ['error', ...TRAPS],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/common',
              importNames: ['Body', 'Param', 'Query'],
              message: 'Those of http/request-parts.ts are read and checked; these are taken as they come.',
            },
          ],
        },
      ],
      eqeqeq: 'error',
    },
  },
  { files: ['{apps,libs}/**/*.ts'], rules: { 'no-console': 'error' } },
  { files: ['apps/api/src/http/{request-parts,raw-body}.ts'], rules: { 'no-restricted-imports': 'off' } },
  { files: ['**/*.spec.ts', '**/*.e2e-spec.ts', 'test/**/*.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
