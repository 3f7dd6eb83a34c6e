import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import type { EventText } from '../workload/record-event.ts';
import { MIGRATED_TO, PROVISIONED_BY } from '#lib/component-helpers/storage/volume/annotations.ts';
import { claimRefOf, isOtherMode, specOf } from '#lib/component-helpers/storage/volume/match.ts';
import { isBuiltIn } from './provisioners.ts';

/** What becomes of a volume. */
export type VolumeAction =
  | { readonly action: 'phase'; readonly phase: string; readonly event?: EventText }
  | { readonly action: 'unbind' }
  /** It cannot be the claim's: both are told. */
  | { readonly action: 'mismatch'; readonly claim: JsonObject }
  | { readonly action: 'nothing' };

const phaseOf = (volume: JsonObject): string => text(objectAt(volume, 'status'), 'phase');
const policyOf = (volume: JsonObject): string => text(specOf(volume), 'persistentVolumeReclaimPolicy');

/** Upstream's syncVolume. `claim` is what has the name of the claim that the volume is bound to, if anything has. */
export function decideVolume(volume: JsonObject, claim: JsonObject | undefined): VolumeAction {
  const ref = claimRefOf(volume);
  if (ref === undefined || text(ref, 'uid') === '') return { action: 'phase', phase: 'Available' };
  if (claim === undefined || uidOf(claim) !== text(ref, 'uid')) return release(volume);
  const bound = text(specOf(claim), 'volumeName');
  if (bound === '') return isOtherMode(volume, claim) ? { action: 'mismatch', claim } : { action: 'nothing' };
  if (bound === nameOf(volume)) return { action: 'phase', phase: 'Bound' };
  const isSpare = annotationsOf(volume)[PROVISIONED_BY] !== undefined && policyOf(volume) === 'Delete';
  return isSpare ? release(volume) : { action: 'unbind' };
}

/** Whoever provisioned a volume deletes it; what nobody can reclaim has failed. A volume that failed stays so. */
function release(volume: JsonObject): VolumeAction {
  if (phaseOf(volume) === 'Failed') return { action: 'nothing' };
  if (phaseOf(volume) !== 'Released') return { action: 'phase', phase: 'Released' };
  const event = whyNotReclaimed(volume);
  return event === undefined ? { action: 'nothing' } : { action: 'phase', phase: 'Failed', event };
}

function whyNotReclaimed(volume: JsonObject): EventText | undefined {
  if (annotationsOf(volume)[MIGRATED_TO] !== undefined) return undefined;
  const failed = (reason: string, message: string): EventText => ({ type: 'Warning', reason, message });
  switch (policyOf(volume)) {
    case 'Retain':
      return undefined;
    case 'Recycle':
      return failed('VolumeFailedRecycle', 'No recycler plugin found for the volume!');
    case 'Delete':
      return isForeign(volume) ? undefined : failed('VolumeFailedDelete', noDeleter(volume));
    default:
      return failed('VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
  }
}

/** Whether something outside deletes it. */
function isForeign(volume: JsonObject): boolean {
  const provisioner = annotationsOf(volume)[PROVISIONED_BY] ?? '';
  return provisioner === '' ? has(specOf(volume), 'csi') : !isBuiltIn(provisioner);
}

const noDeleter = (volume: JsonObject): string =>
  `error getting deleter volume plugin for volume "${nameOf(volume)}": no deletable volume plugin matched`;
