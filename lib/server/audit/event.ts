import { defined } from '#lib/machinery/defined.ts';
import { escapeHtml } from '#lib/machinery/go.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** How much of a request is recorded, from nothing to both bodies. */
export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
/** One of the levels. */
export type Level = (typeof LEVELS)[number];

/** The stages at which events are recorded. */
export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
/** One of the stages. */
export type Stage = (typeof STAGES)[number];

/** `audit.k8s.io/v1 Event`. The text omits absent fields. */
export interface AuditEvent {
  readonly level: Level;
  readonly auditID: string;
  readonly stage: Stage;
  readonly requestURI: string;
  readonly verb: string;
  /** `authentication/v1 UserInfo`. `{}` for an unauthenticated request. */
  readonly user: JsonObject;
  readonly impersonatedUser?: JsonObject;
  /** The verb that allowed the constrained impersonation. */
  readonly impersonationConstraint?: string;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef?: JsonObject;
  readonly responseStatus?: JsonObject;
  /** The bodies as JSON texts. */
  readonly requestObject?: string;
  readonly responseObject?: string;
  /** The time in ms since 1970. */
  readonly requestReceived: number;
  readonly staged: number;
  readonly annotations: ReadonlyMap<string, string>;
}

const VERSION = 'audit.k8s.io/v1';

/** Encodes an event as one JSON text, with fields in upstream's order. */
export function encodeEvent(event: AuditEvent): string {
  return `{"kind":"Event","apiVersion":"${VERSION}",${fieldsOf(event)}}`;
}

/** Encodes the body for a webhook: an `EventList` whose items omit their kind. */
export function encodeEventList(events: readonly AuditEvent[]): string {
  const items = events.map((event) => `{${fieldsOf(event)}}`).join(',');
  return `{"kind":"EventList","apiVersion":"${VERSION}","metadata":{},"items":[${items}]}`;
}

function fieldsOf(event: AuditEvent): string {
  const { level, auditID, stage, requestURI, verb, user, impersonatedUser, impersonationConstraint } = event;
  const { sourceIPs, userAgent, objectRef, responseStatus, requestObject, responseObject } = event;
  const head = {
    level,
    auditID,
    stage,
    requestURI,
    verb,
    user,
    ...defined({ impersonatedUser }),
    ...(impersonationConstraint === undefined ? {} : { authenticationMetadata: { impersonationConstraint } }),
    ...(sourceIPs.length === 0 ? {} : { sourceIPs: [...sourceIPs] }),
    ...(userAgent === '' ? {} : { userAgent }),
    ...defined({ objectRef, responseStatus }),
  };
  const bodies = `${bodyField('requestObject', requestObject)}${bodyField('responseObject', responseObject)}`;
  const times = { requestReceivedTimestamp: microTime(event.requestReceived), stageTimestamp: microTime(event.staged) };
  const annotations = event.annotations.size === 0 ? '' : `,"annotations":${encodeMap(event.annotations)}`;
  return `${inner(head)}${bodies},${inner(times)}${annotations}`;
}

const inner = (object: JsonObject): string => encodeJson(object).slice(1, -1);
const bodyField = (name: string, text: string | undefined): string => (text === undefined ? '' : `,"${name}":${text}`);

/** Encodes annotations. It builds no object from them, because webhooks supply some of the keys. */
function encodeMap(map: ReadonlyMap<string, string>): string {
  const keys = [...map.keys()].sort();
  const fields = keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify((map.get(key) ?? '').toWellFormed())}`);
  return escapeHtml(`{${fields.join(',')}}`);
}

/** Formats upstream's MicroTime, with six digits of a second. */
export function microTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}

/** Whether `level` records at least as much as `least`. */
export function includes(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
