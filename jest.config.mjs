import { readFileSync } from 'node:fs';

// The aliases live in tsconfig.json only; Jest derives its mapping from there.
const { compilerOptions } = JSON.parse(readFileSync(new URL('./tsconfig.json', import.meta.url), 'utf8'));
const aliases = Object.fromEntries(
  Object.entries(compilerOptions.paths).map(([alias, [file]]) => [
    `^${alias}$`,
    file.replace('./', '<rootDir>/'),
  ]),
);

/** SWC's options for one test run: decorators with metadata, fields by assignment, ES modules kept. */
const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const project = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: { ...aliases, '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: ['/node_modules/', '/dist/'],
  // The clients of the interop suite bring packages of their own, which no test imports.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/interop/(js/node_modules|\\.cache)/'],
};

/** A suite that needs a Postgres: one cluster for the run, one database cloned per file. */
const onPostgres = (name, pattern) => ({
  ...project,
  displayName: name,
  testMatch: [pattern],
  globalSetup: '<rootDir>/test/support/start-postgres.ts',
  globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
});

export default {
  workerIdleMemoryLimit: '512MB',
  testTimeout: 30_000,
  projects: [
    { ...project, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,scripts}/**/*.spec.ts'] },
    onPostgres('contract', '<rootDir>/test/contract/**/*.spec.ts'),
    onPostgres('e2e', '<rootDir>/test/e2e/**/*.e2e-spec.ts'),
    onPostgres('faults', '<rootDir>/test/faults/**/*.spec.ts'),
    {
      ...onPostgres('interop', '<rootDir>/test/interop/*.spec.ts'),
      setupFilesAfterEnv: ['<rootDir>/test/interop/patience.ts'],
    },
  ],
};
