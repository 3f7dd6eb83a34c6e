/** The types that a schema may name, sorted as messages list them. */
export const OPENAPI_TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
