/**
 * The routes that answer anybody, each with the reason why that is harmless. Whatever else the server listens to asks
 * for a key, and the suite fails on a route that is neither here nor in the permission table.
 */
export const PUBLIC_ROUTES: Readonly<Record<string, string>> = {
  'GET /livez': 'says nothing but that the process lives',
  'GET /readyz': 'says nothing but whether requests may come',
  'GET /metrics': 'sums over all tenants',
  'GET /version': 'the version is in the published package',
  'GET /openapi.json': 'describes the product, and no tenant',
  'GET /docs': 'the same for readers',
  'GET /': 'the same page',
  'GET /docs/': 'the same page',
  'GET /docs/page.js': 'part of the page',
  'GET /docs/swagger-ui.css': 'part of the page',
  'GET /docs/swagger-ui-bundle.js': 'part of the page',
  'GET /docs/favicon-32x32.png': 'part of the page',
  'GET /docs/api.css': 'part of the page',
  'GET /docs/pages.css': 'the look of the pages',
  'GET /docs/problems': 'lists the pages below it',
  'GET /docs/guides': 'lists the pages below it',
  'GET /docs/decisions': 'lists the pages below it',
  'GET /docs/problems/:page': 'explains a problem, the same to everybody',
  'GET /docs/guides/:page': 'explains the product, the same to everybody',
  'GET /langsmith/info': 'says what LangSmith clients may send, which the guides say as well',
  'GET /langfuse/api/public/health': 'says nothing but that the process lives',
  'GET /docs/decisions/:page': 'explains the product, the same to everybody',
};
