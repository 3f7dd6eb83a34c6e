import { quote } from '#lib/machinery/go.ts';
import { arrayAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import type { AuditEvent } from './event.ts';

/** Formats an event as upstream's text of one line, without its newline. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const name = stringAt(user, 'username') ?? '';
  const as = impersonatedUser === undefined ? '<self>' : (stringAt(impersonatedUser, 'username') ?? '');
  const fields = {
    id: event.auditID,
    stage: event.stage,
    ip: event.sourceIPs[0] ?? '<unknown>',
    method: event.verb,
    user: name || '<none>',
    groups: (name === '' ? '' : list(arrayAt(user, 'groups'))) || '<none>',
    as,
    asgroups: list(arrayAt(impersonatedUser, 'groups')) || '<lookup>',
    'user-agent': event.userAgent,
    namespace: stringAt(objectRef, 'namespace') || '<none>',
    uri: event.requestURI,
  };
  const shown = Object.entries(fields).map(([field, text]) => `${field}=${quote(text)}`);
  const code = responseStatus === undefined ? '<deferred>' : String(ownField(responseStatus, 'code') ?? 0);
  return `${nanoTime(event.requestReceived)} AUDIT: ${shown.join(' ')} response="${code}"`;
}

const list = (values: readonly unknown[]): string => values.map((value) => quote(String(value))).join(',');

/** Formats Go's RFC3339Nano, with a fraction without trailing zeros. */
function nanoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z');
}
