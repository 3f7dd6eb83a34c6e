import { typedObject } from '#lib/api/typed.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { TTL, waitFor, writtenAt } from './decide.ts';

/** The number of concurrent deletes: as many as one log entry holds. */
const AT_ONCE = 64;
/** The only key of the controller. */
export const EXPIRE = 'expire';

interface EventRecord {
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly written: number;
}

/** Deletes events an hour after their last write, many at once. Upstream uses etcd leases for this. */
export function eventTtlController(client: Client, clock: Clock): Reconciler {
  const known = new Map<string, EventRecord>();
  let waiting = false;
  return {
    name: 'event-ttl',
    keys(change) {
      if (change.group !== '' || change.resource !== 'events') return [];
      const id = `${change.namespace}/${change.name}`;
      known.delete(id);
      if (change.type === 'DELETED') return [];
      known.set(id, knownOf(change, clock.now()));
      if (waiting) return [];
      waiting = true;
      return [EXPIRE];
    },
    async reconcile() {
      const now = clock.now();
      const all = [...known.values()];
      const expired = all.filter(({ written }) => written + TTL <= now);
      await forEachAtOnce(AT_ONCE, expired, (event) => expire(client, event));
      waiting = expired.length < known.size;
      if (!waiting) return undefined;
      const oldest = all.reduce((least, { written }) => (written + TTL <= now ? least : Math.min(least, written)), now);
      return { requeueAfter: waitFor(oldest, now) };
    },
  };
}

function knownOf({ type, namespace, name, object }: ObjectChange, now: number): EventRecord {
  const event = typedObject(EVENTS, object());
  return {
    ref: { resource: EVENTS, namespace, name },
    uid: uidOf(event),
    resourceVersion: resourceVersionOf(event),
    written: type === 'MODIFIED' ? now : writtenAt(event, now),
  };
}

/** An event that was written meanwhile stays. */
async function expire(client: Client, { ref, uid, resourceVersion }: EventRecord): Promise<void> {
  await client.delete(ref, { uid, resourceVersion }).catch(ignore('NotFound', 'Conflict'));
}
