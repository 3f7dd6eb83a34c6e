import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

const STRATEGIC = 'application/strategic-merge-patch+json';

/**
 * A request from the kubelet of n1. In texts of the body, `{uid of PATH}` is a placeholder for the uid of the object at the path, and
 * `{version of PATH}` for its version.
 */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  /** Default JSON. */
  readonly type?: string;
  /** Whether the administrator sends it instead of the kubelet. */
  readonly admin?: true;
  /** Whether the whole response is compared, or only whether it succeeded. */
  readonly shown?: true;
}

/** Requests by group, in the order in which they are sent. */
export type Asking = Readonly<Record<string, readonly Asked[]>>;

export const get = (path: string): Asked => ({ method: 'GET', path });
export const post = (path: string, body: Json): Asked => ({ method: 'POST', path, body });
export const put = (path: string, body: Json): Asked => ({ method: 'PUT', path, body });
export const patch = (path: string, body: Json): Asked => ({ method: 'PATCH', path, body, type: STRATEGIC });
export const remove = (path: string, body?: Json): Asked => ({ method: 'DELETE', path, ...(body && { body }) });

/** Placeholders for the uid and the version of the object at the path. */
export const uidOf = (path: string): string => `{uid of ${path}}`;
export const at = (path: string): JsonObject => ({ resourceVersion: `{version of ${path}}` });
