import { arrayAt, isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import type { Level } from '#lib/server/audit/event.ts';
import type { RequestInfo } from '../api.ts';

const REDACTED = 'REDACTED';

type Resource = Pick<RequestInfo, 'group' | 'resource' | 'subresource'>;

/** Bodies that carry a bearer token: where they have it. Upstream leaves it to the policy to keep these out of the log. */
function tokenHolder({ group, resource, subresource }: Resource): 'spec' | 'status' | undefined {
  if (group === 'authentication.k8s.io' && resource === 'tokenreviews') return 'spec';
  return group === '' && resource === 'serviceaccounts' && subresource === 'token' ? 'status' : undefined;
}

/** Whether the request's body or answer has a token. */
export const carriesToken = (info: Resource): boolean => tokenHolder(info) !== undefined;

/** The body with its token taken out; the object itself stays as it is. */
export function withoutToken(info: Resource, object: JsonObject): JsonObject {
  const holder = tokenHolder(info);
  const held = holder === undefined ? undefined : objectAt(object, holder);
  if (holder === undefined || held?.['token'] === undefined) return object;
  return { ...object, [holder]: { ...held, token: REDACTED } };
}

/** Refusals of a body quote it; the message is the log's only where the body is. */
export function quotesSecret(info: Resource, level: Level, code: number): boolean {
  if (code !== 400 && code !== 422) return false;
  return carriesToken(info) || (level === 'Metadata' && info.group === '' && info.resource === 'secrets');
}

/** The Status without what it quotes. */
export function redactStatus(status: JsonObject): JsonObject {
  const { causes: _, ...details } = objectAt(status, 'details') ?? {};
  return {
    ...status,
    message: 'withheld: it may quote what the body holds',
    ...(status['details'] === undefined ? {} : { details }),
  };
}

/** A URI with the values of `access_token` taken out. */
export const withoutAccessToken = (uri: string): string =>
  uri.includes('access_token') ? uri.replace(/([?&]access_token=)[^&]*/g, `$1${REDACTED}`) : uri;

/** The object, the items of a list and the rows of a table without their managed fields. */
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
