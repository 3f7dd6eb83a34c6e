import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Receives request bodies from handlers, as decoded, for the audit event. It keeps no reference to the objects. */
export interface RequestAudit {
  /** Records the decoded body with its defaults. It fills in what the event's objectRef lacks. */
  requestObject(object: JsonObject): void;
  /** Records a patch as sent: JSON or YAML. */
  requestPatch(bytes: Uint8Array): void;
  /** Whether the event shows the request body. */
  readonly showsRequests: boolean;
}

/** The recorder for a request that the policy does not audit. */
export const NOT_AUDITED: RequestAudit = {
  requestObject: () => {},
  requestPatch: () => {},
  showsRequests: false,
};

interface Annotated {
  readonly annotations: Map<string, string>;
  readonly audit?: RequestAudit | undefined;
}

/**
 * Adds an annotation to the audit event, like upstream: keeps the first value of a key, and records values that show bodies only if the
 * event shows bodies.
 */
export function annotate({ annotations, audit }: Annotated, key: string, value: string, shows?: 'bodies'): void {
  if (shows === 'bodies' && audit?.showsRequests !== true) return;
  if (!annotations.has(key)) annotations.set(key, value);
}
