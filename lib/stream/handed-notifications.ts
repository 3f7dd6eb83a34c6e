import * as z from 'zod/mini';
import type { NodeNotification } from './notifications.ts';

/** The maximum number of nodes in an event. With names of 253 characters it stays below 256 KB, the limit of an asynchronous event. */
const MOST = 500;

const name = z.string().check(z.maxLength(253));

const handed = z.object({
  rings: z
    .array(
      z.object({
        node: name,
        /** The ids of its connections, the newest first. */
        connections: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(2)),
        /** Versions by type. */
        ring: z.record(z.string(), z.string().check(z.maxLength(16))),
      }),
    )
    .check(z.maxLength(MOST)),
});

/** Encodes rings as events for the function that notifies nodes, with a few hundred rings each. */
export function* handedOver(rings: readonly NodeNotification[]): Generator<string> {
  for (let i = 0; i < rings.length; i += MOST) {
    const some = rings.slice(i, i + MOST).map(({ to: { node, connections }, ring }) => ({ node, connections, ring }));
    yield JSON.stringify({ rings: some });
  }
}

/** Decodes the rings of such an event; undefined for any other event. */
export function handedNotifications(event: unknown): readonly NodeNotification[] | undefined {
  const { data } = handed.safeParse(event);
  return data?.rings.map(({ ring, ...to }) => ({ to: { ...to, interests: '' }, ring }));
}
