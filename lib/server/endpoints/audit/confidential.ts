import { arrayAt, isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import type { Level } from '#lib/server/audit/event.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';

const REDACTED = 'REDACTED';

type Resource = Pick<RequestInfo, 'group' | 'resource' | 'subresource'>;

/**
 * Returns the field that contains a bearer token in bodies of the resource, if any. Upstream relies on the policy to keep these out of the
 * log.
 */
function tokenHolder({ group, resource, subresource }: Resource): 'spec' | 'status' | undefined {
  if (group === 'authentication.k8s.io' && resource === 'tokenreviews') return 'spec';
  return group === '' && resource === 'serviceaccounts' && subresource === 'token' ? 'status' : undefined;
}

/** Whether the request or response body contains a token. */
export const carriesToken = (info: Resource): boolean => tokenHolder(info) !== undefined;

/** Returns the body with its token redacted. Does not change the object itself. */
export function withoutToken(info: Resource, object: JsonObject): JsonObject {
  const holder = tokenHolder(info);
  const held = holder === undefined ? undefined : objectAt(object, holder);
  if (holder === undefined || held?.['token'] === undefined) return object;
  return { ...object, [holder]: { ...held, token: REDACTED } };
}

/** Whether an error may quote a secret body. Its message may be logged only if the body itself may be logged. */
export function quotesSecret(info: Resource, level: Level, code: number): boolean {
  if (code !== 400 && code !== 422) return false;
  return carriesToken(info) || (level === 'Metadata' && info.group === '' && info.resource === 'secrets');
}

/** Returns the Status without the message and the causes, which may quote the body. */
export function redactStatus(status: JsonObject): JsonObject {
  const { causes: _, ...details } = objectAt(status, 'details') ?? {};
  return {
    ...status,
    message: 'withheld: it may quote what the body holds',
    ...(status['details'] === undefined ? {} : { details }),
  };
}

/** Returns a URI with the values of `access_token` redacted. */
export const withoutAccessToken = (uri: string): string =>
  uri.includes('access_token') ? uri.replace(/([?&]access_token=)[^&]*/g, `$1${REDACTED}`) : uri;

/** Returns the object without managed fields, including those of list items and table rows. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const items = arrayAt(object, 'items').map((item) => (isObject(item) ? stripped(item) : item));
  const rows = arrayAt(object, 'rows').map((row) => (isObject(row) ? strippedRow(row) : row));
  return {
    ...stripped(object),
    ...(Array.isArray(object['items']) ? { items } : {}),
    ...(Array.isArray(object['rows']) ? { rows } : {}),
  };
}

function stripped(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  if (metadata?.['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function strippedRow(row: JsonObject): Json {
  const object = objectAt(row, 'object');
  return object === undefined ? row : { ...row, object: stripped(object) };
}
