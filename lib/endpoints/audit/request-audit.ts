import type { JsonObject } from '#lib/machinery/json-value.ts';

/** What handlers tell the audit log: bodies as they decoded them. Nothing is kept of the objects themselves. */
export interface RequestAudit {
  /** The decoded body with its defaults; what the event's objectRef lacks is taken from it. */
  requestObject(object: JsonObject): void;
  /** A patch as it was sent: JSON or YAML. */
  requestPatch(bytes: Uint8Array): void;
}

/** Of a request that the policy leaves out. */
export const NOT_AUDITED: RequestAudit = { requestObject: () => {}, requestPatch: () => {} };
