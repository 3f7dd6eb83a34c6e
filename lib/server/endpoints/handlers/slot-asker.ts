import { createHash } from 'node:crypto';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { EXEMPT, type SlotAsker } from '#lib/server/flowcontrol/watch-slots.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';

/** Parameters that may differ when a client reopens the same watch. */
const VARYING = ['resourceVersion', 'resourceVersionMatch', 'timeoutSeconds'];

/** The number of bytes kept of a digest. It is enough because a control plane has few slots. */
const KEPT = 9;

/** Returns short digests of the user and the watch for the slot table. The same client, path and query identify the same watch. */
export function slotAsker({
  request,
  user,
}: Pick<RequestContext, 'request' | 'user'>): Omit<SlotAsker, 'milliseconds'> {
  const { headers, connection, path } = request;
  const remoteAddress = connection?.remoteAddress ?? '';
  const query = new URLSearchParams(request.query);
  for (const name of VARYING) query.delete(name);
  query.sort();
  return {
    holder: user.groups.includes(SYSTEM_MASTERS) ? EXEMPT : digest(user.name),
    watch: digest(JSON.stringify([user.name, headers['user-agent'] ?? '', remoteAddress, path, query.toString()])),
  };
}

const digest = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, KEPT).toString('base64url');
