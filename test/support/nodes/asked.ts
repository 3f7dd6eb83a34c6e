import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

const STRATEGIC = 'application/strategic-merge-patch+json';

/**
 * A request of the kubelet of n1. In texts of the body `{uid of PATH}` is a placeholder for the uid of the object there, `{version of
 * PATH}` for its version.
 */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  /** Default JSON. */
  readonly type?: string;
  /** Whether the administrator sends it instead. */
  readonly admin?: true;
  /** Whether the whole response is compared, and not only its success. */
  readonly shown?: true;
}

/** Requests by groups, in the order in which they are asked. */
export type Asking = Readonly<Record<string, readonly Asked[]>>;

export const get = (path: string): Asked => ({ method: 'GET', path });
export const post = (path: string, body: Json): Asked => ({ method: 'POST', path, body });
export const put = (path: string, body: Json): Asked => ({ method: 'PUT', path, body });
export const patch = (path: string, body: Json): Asked => ({ method: 'PATCH', path, body, type: STRATEGIC });
export const remove = (path: string, body?: Json): Asked => ({ method: 'DELETE', path, ...(body && { body }) });

/** Placeholders for the uid and the version of the object there. */
export const uidOf = (path: string): string => `{uid of ${path}}`;
export const at = (path: string): JsonObject => ({ resourceVersion: `{version of ${path}}` });
