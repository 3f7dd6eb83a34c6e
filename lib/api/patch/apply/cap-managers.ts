import { compareText } from './element-order.ts';
import { type FieldSet, union } from './field-set.ts';
import { changed, identifier, type Manager, type Managers, seconds } from './managed-fields.ts';

const MAX_UPDATERS = 10;
const BUCKET = 'ancient-changes';

/** The merged updaters of one version: their sets, and the youngest updater, whose time the bucket gets. */
interface Joined {
  readonly sets: FieldSet[];
  youngest: Manager;
}

/** Merges the oldest updaters of each version into one entry until at most ten remain. Never merges appliers. */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= MAX_UPDATERS) return managers;
  const capped = new Map(managers);
  const buckets = new Map<string, Joined>();
  const firsts = new Map<string, string>();
  let excess = updaters.length - MAX_UPDATERS;
  for (const [id, manager] of oldestFirst(updaters)) {
    if (excess === 0) break;
    const first = firsts.get(manager.apiVersion);
    if (first === undefined) firsts.set(manager.apiVersion, id);
    else {
      join(capped, buckets, { first, id, manager });
      excess--;
    }
  }
  for (const { sets, youngest } of buckets.values()) {
    const info = bucketOf(youngest);
    capped.set(identifier(info), changed({ ...youngest, ...info }, { set: unionOf(sets) }));
  }
  return capped;
}

function oldestFirst(updaters: readonly (readonly [string, Manager])[]): (readonly [string, Manager])[] {
  const timed = updaters.map((entry) => ({ entry, time: seconds(entry[1]) }));
  timed.sort((a, b) => a.time - b.time || compareText(a.entry[0], b.entry[0]));
  return timed.map(({ entry }) => entry);
}

const bucketOf = ({ apiVersion }: Manager) =>
  ({ manager: BUCKET, operation: 'Update', apiVersion, subresource: '' }) as const;

/** The bucket starts with the entry that it replaces: an earlier bucket, or the oldest updater. */
function join(
  managers: Map<string, Manager>,
  buckets: Map<string, Joined>,
  { first, id, manager }: { first: string; id: string; manager: Manager },
): void {
  const bucket = buckets.get(manager.apiVersion);
  if (bucket !== undefined) {
    bucket.sets.push(manager.set);
    bucket.youngest = manager;
  } else {
    const earlier = identifier(bucketOf(manager));
    const replaced = managers.has(earlier) ? earlier : first;
    const present = managers.get(replaced);
    buckets.set(manager.apiVersion, { sets: [...(present ? [present.set] : []), manager.set], youngest: manager });
    managers.delete(replaced);
  }
  managers.delete(id);
}

/** Returns the union, merging pairs in rounds. The cost is the size of the sets times the logarithm of their number. */
function unionOf(sets: readonly FieldSet[]): FieldSet {
  let left = sets;
  while (left.length > 1) {
    const pairs: FieldSet[] = [];
    for (let i = 0; i < left.length; i += 2) {
      const [a, b] = [left[i] as FieldSet, left[i + 1]];
      pairs.push(b === undefined ? a : union(b, a));
    }
    left = pairs;
  }
  return left[0] ?? {};
}
