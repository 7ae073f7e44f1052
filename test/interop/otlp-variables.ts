/** The variables that the exporters of all languages read. Those of Python take a header in percent-encoding only. */
export function otlpVariables(
  url: string,
  key: string,
  protocol: 'http/protobuf' | 'http/json' = 'http/protobuf',
): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/otel`,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${key}`,
    OTEL_SERVICE_NAME: 'cheese-shop',
  };
}
