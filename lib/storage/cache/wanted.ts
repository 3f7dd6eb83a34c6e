import type { Change } from '../sequence.ts';
import type { WatchRequest } from '../storage.ts';
import { mayHave } from './value-at.ts';

/** The changes that a watch selects. */
export type Wanted = Pick<WatchRequest, 'prefix' | 'key' | 'where'>;

/** Whether a watch may show the change. It checks the value before and after the change. */
export function isWanted({ prefix, key, where }: Wanted, change: Change): boolean {
  if (key === undefined ? !change.key.startsWith(prefix) : change.key !== key) return false;
  if (where === undefined || mayHave(where, change)) return true;
  return change.previous !== undefined && mayHave(where, change.previous);
}
