import { loggedChange } from '#lib/client/controller/object-change.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { Lane } from './lane.ts';
import type { Rings } from './rings.ts';
import { attempt } from './sending.ts';

/**
 * The lane, whose changes are taken for rings once they are delivered. Rings have no cursor of their own: what is delivered twice rings
 * twice, and what the lane makes a dead letter of rings nobody.
 */
export const withRings = (lane: Lane, rings: Pick<Rings, 'take'>): Lane => ({
  ...lane,
  async deliver(sequence, changes) {
    const undeliverable = await lane.deliver(sequence, changes);
    if (sequence.startsWith(`${DEFAULT_CLUSTER}/`))
      // nodes are of no other cluster
      for (const change of changes) attempt(() => rings.take(loggedChange(change)));
    return undeliverable;
  },
});
