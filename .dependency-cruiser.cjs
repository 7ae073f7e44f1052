/**
 * Who may import whom. The table stands in docs/architecture.md; this is the check.
 */
const apps = '^apps/';
const lib = (name) => `^libs/${name}/`;
const npm = (names) => `node_modules/(${names.join('|')})/`;
const FRAMEWORK = npm(['@nestjs', 'typeorm', 'fastify', 'class-validator', 'rxjs', 'passport', 'pg']);

/** A library may use these other libraries, and no more. */
const MAY_USE = {
  contracts: [],
  domain: ['contracts'],
  dialects: ['contracts', 'domain'],
  database: ['contracts', 'domain'],
  core: ['contracts', 'domain', 'database'],
  sdk: [],
};

const layers = Object.entries(MAY_USE).map(([name, used]) => ({
  name: `${name}-uses-only-${used.join('-and-') || 'itself'}`,
  severity: 'error',
  from: { path: lib(name), pathNot: '\\.spec\\.ts$' },
  to: { path: `^libs/(?!(?:${[name, ...used].join('|')})/)` },
}));

const pure = ['contracts', 'domain', 'dialects', 'sdk'].map((name) => ({
  name: `${name}-knows-no-framework`,
  severity: 'error',
  from: { path: lib(name), pathNot: '\\.spec\\.ts$' },
  to: { path: FRAMEWORK },
}));

module.exports = {
  forbidden: [
    ...layers,
    ...pure,
    {
      name: 'database-knows-no-nest',
      severity: 'error',
      from: { path: lib('database') },
      to: { path: npm(['@nestjs', 'fastify', 'class-validator', 'rxjs']) },
    },
    {
      name: 'core-knows-no-http',
      severity: 'error',
      from: { path: lib('core') },
      to: { path: npm(['fastify', '@nestjs/swagger', '@nestjs/platform-fastify']) },
    },
    { name: 'no-library-imports-an-app', severity: 'error', from: { path: '^libs/' }, to: { path: apps } },
    {
      name: 'no-app-imports-an-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: apps, pathNot: '^apps/$1/' },
    },
    {
      name: 'one-door-to-a-library',
      comment: 'From outside, a library is its index.ts.',
      severity: 'error',
      from: { path: '^(apps|libs/([^/]+))/' },
      to: { path: '^libs/[^/]+/src/(?!index\\.ts$)', pathNot: '^libs/$2/' },
    },
    {
      name: 'sql-belongs-to-its-feature',
      comment: 'A statement is called by its own feature, by reporting, or by another statement.',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/([^/]+)/', pathNot: '^apps/[^/]+/src/([^/]+)/sql/' },
      to: { path: '^apps/[^/]+/src/([^/]+)/sql/', pathNot: '^apps/[^/]+/src/$1/sql/' },
    },
    {
      name: 'no-cycles-except-between-entities',
      severity: 'error',
      from: { pathNot: '/entities/' },
      to: { circular: true, viaOnly: { pathNot: '/entities/' } },
    },
    {
      name: 'migrations-stand-alone',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^(apps|libs)/' },
    },
    {
      name: 'product-does-not-use-tests',
      severity: 'error',
      from: { path: '^(apps|libs|migrations)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
};
