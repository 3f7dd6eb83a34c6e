import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Receives decoded request bodies from handlers for the audit event. It keeps no reference to the objects. */
export interface RequestAudit {
  /** Records the decoded body with its defaults. It also provides the fields that the event's objectRef lacks. */
  requestObject(object: JsonObject): void;
  /** Records a patch as sent: JSON or YAML. */
  requestPatch(bytes: Uint8Array): void;
  /** Whether the event contains the request body. */
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
 * Adds an annotation to the audit event. Like upstream, keeps the first value of a key, and records values that quote bodies only if the
 * event contains bodies.
 */
export function annotate({ annotations, audit }: Annotated, key: string, value: string, shows?: 'bodies'): void {
  if (shows === 'bodies' && audit?.showsRequests !== true) return;
  if (!annotations.has(key)) annotations.set(key, value);
}
