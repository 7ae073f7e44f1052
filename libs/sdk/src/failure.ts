/** Why something failed, as the API takes it. */
interface Failure {
  error: string;
  error_type?: string;
}

/** What was thrown, as members of a request: an error by its message and name. Members stay what they are. */
export function failureOf<Params extends object>(reason: Error | string | Params): Failure | Params {
  if (typeof reason === 'string') return { error: reason };
  if (!isError(reason)) return reason;
  const { name, message } = reason;
  return { error: message || name, ...(name ? { error_type: name } : {}) };
}

/** Also one of another realm, such as a test runner's. */
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
