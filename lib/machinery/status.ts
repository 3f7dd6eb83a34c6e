import { defined } from './defined.ts';
import type { StatusDetails, StatusError } from './errors.ts';
import type { JsonObject } from './json-value.ts';

/** The `metav1.Status` of an error, fields in upstream's order. */
export function statusOf(error: StatusError): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: { ...error.listMeta },
    status: 'Failure',
    message: error.message,
    ...defined({ reason: error.reason }),
    ...(error.details === undefined ? {} : { details: detailsOf(error.details) }),
    code: error.code,
  };
}

/** Omits empty fields. `details` itself remains, as `{}`. */
export function detailsOf({ name, group, kind, uid, causes = [], retryAfterSeconds = 0 }: StatusDetails): JsonObject {
  return {
    ...texts({ name, group, kind, uid }),
    ...(causes.length === 0
      ? {}
      : { causes: causes.map(({ reason, message, field }) => texts({ reason, message, field })) }),
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  };
}

function texts(fields: Readonly<Record<string, string | undefined>>): JsonObject {
  const set: JsonObject = {};
  for (const [field, text] of Object.entries(fields)) if (text !== undefined && text !== '') set[field] = text;
  return set;
}
