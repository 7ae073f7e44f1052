interface Refusal {
  content?: Record<string, { schema?: { allOf?: { properties?: { code?: { enum?: string[] } } }[] } }>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Refusal> }>>;
}

/** Which routes an OpenAPI document says can refuse with a code, in its order. */
export function routesRefusing(document: Document): Map<string, string[]> {
  const routes = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      for (const code of Object.values(responses).flatMap(codesOf)) {
        routes.set(code, [...(routes.get(code) ?? []), `${method.toUpperCase()} ${path}`]);
      }
    }
  }
  return routes;
}

function codesOf({ content }: Refusal): string[] {
  const schema = content?.['application/problem+json']?.schema;
  return (schema?.allOf ?? []).flatMap(({ properties }) => properties?.code?.enum ?? []);
}
