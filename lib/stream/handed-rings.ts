import * as z from 'zod/mini';
import type { NodeRing } from './rings.ts';

/** Nodes of one event: with names of 253 characters it has less than 256 KB, the most of an event that nobody waits for. */
const MOST = 500;

const name = z.string().check(z.maxLength(253));

const handed = z.object({
  rings: z
    .array(
      z.object({
        node: name,
        /** Ids of its connections, the newest first. */
        connections: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(2)),
        /** Versions by types. */
        ring: z.record(z.string(), z.string().check(z.maxLength(16))),
      }),
    )
    .check(z.maxLength(MOST)),
});

/** Rings as the events of another function that rings the nodes: a few hundred in each. */
export function* handedOver(rings: readonly NodeRing[]): Generator<string> {
  for (let i = 0; i < rings.length; i += MOST) {
    const some = rings.slice(i, i + MOST).map(({ to: { node, connections }, ring }) => ({ node, connections, ring }));
    yield JSON.stringify({ rings: some });
  }
}

/** The rings of such an event; undefined for any other. */
export function handedRings(event: unknown): readonly NodeRing[] | undefined {
  const { data } = handed.safeParse(event);
  return data?.rings.map(({ ring, ...to }) => ({ to: { ...to, interests: '' }, ring }));
}
