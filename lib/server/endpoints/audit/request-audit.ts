import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Receives bodies from handlers, as they decoded them, for the audit event. It keeps no reference to the objects. */
export interface RequestAudit {
  /** The decoded body with its defaults; what the event's objectRef lacks is taken from it. */
  requestObject(object: JsonObject): void;
  /** A patch as it was sent: JSON or YAML. */
  requestPatch(bytes: Uint8Array): void;
  /** Whether the event shows what was sent. */
  readonly showsRequests: boolean;
}

/** Of a request that the policy leaves out. */
export const NOT_AUDITED: RequestAudit = {
  requestObject: () => {},
  requestPatch: () => {},
  showsRequests: false,
};

interface Annotated {
  readonly annotations: Map<string, string>;
  readonly audit?: RequestAudit | undefined;
}

/** Keeps a value for the audit log, as upstream: the first of a key, and what shows bodies only where those are shown. */
export function annotate({ annotations, audit }: Annotated, key: string, value: string, shows?: 'bodies'): void {
  if (shows === 'bodies' && audit?.showsRequests !== true) return;
  if (!annotations.has(key)) annotations.set(key, value);
}
