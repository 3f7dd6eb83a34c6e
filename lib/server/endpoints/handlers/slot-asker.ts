import { createHash } from 'node:crypto';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { EXEMPT, type SlotAsker } from '#lib/server/flowcontrol/watch-slots.ts';
import type { RequestContext } from '../api.ts';

/** Parameters that differ when a client opens the same watch again. */
const VARYING = ['resourceVersion', 'resourceVersionMatch', 'timeoutSeconds'];

/** Bytes of a digest that are kept: the slots of one control plane are few. */
const KEPT = 9;

/** The user and the watch, as digests that are short in the table. The same client, path and query make the same watch. */
export function slotAsker({
  request,
  user,
}: Pick<RequestContext, 'request' | 'user'>): Omit<SlotAsker, 'milliseconds'> {
  const { headers, remoteAddress = '', path } = request;
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
