import { compareText } from './element-order.ts';
import { union } from './field-set.ts';
import { changed, identifier, type Manager, type Managers, seconds } from './managed-fields.ts';

const MAX_UPDATERS = 10;
const BUCKET = 'ancient-changes';

/** Joins the oldest updaters, per version, into one entry until at most ten are left; appliers are never joined. */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= MAX_UPDATERS) return managers;
  updaters.sort(([aId, a], [bId, b]) => seconds(a) - seconds(b) || compareText(aId, bId));
  const capped = new Map(managers);
  const firsts = new Map<string, string>();
  let excess = updaters.length - MAX_UPDATERS;
  for (const [id, manager] of updaters) {
    if (excess === 0) break;
    const first = firsts.get(manager.apiVersion);
    if (first === undefined) firsts.set(manager.apiVersion, id);
    else {
      join(capped, first, id, manager);
      excess--;
    }
  }
  return capped;
}

/** The bucket takes the time of the younger one. */
function join(managers: Map<string, Manager>, first: string, id: string, manager: Manager): void {
  const info = { manager: BUCKET, operation: 'Update', apiVersion: manager.apiVersion, subresource: '' } as const;
  const bucket = identifier(info);
  const present = managers.get(bucket) ?? managers.get(first);
  if (!managers.has(bucket)) managers.delete(first);
  managers.delete(id);
  const set = present === undefined ? manager.set : union(manager.set, present.set);
  managers.set(bucket, changed({ ...manager, ...info }, { set }));
}
