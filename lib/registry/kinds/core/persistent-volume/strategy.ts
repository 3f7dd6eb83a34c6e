import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { timeText, instantOf } from '#lib/machinery/time.ts';
import { ensure, has, text } from '#lib/machinery/unstructured.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { keepField } from '../../shared/status.ts';
import { defaultPersistentVolume } from './defaults.ts';
import { validateVolume, validateVolumeUpdate } from './validation.ts';
import { volumeWarnings } from './warnings.ts';

const SINCE = 'lastPhaseTransitionTime';

/** A phase that changes gets the time of the change, unless the client gives one. */
function stampPhase(volume: JsonObject, old: JsonObject, now: Date): void {
  const [status, before] = [ensure(volume, 'status'), objectAt(old, 'status')];
  const same = text(status, 'phase') === text(before, 'phase');
  if (same && !has(status, SINCE)) keepField(status, before ?? {}, SINCE);
  const given = has(status, SINCE) && !semanticEqual(ownField(status, SINCE), ownField(before, SINCE));
  if (!same && !given) status[SINCE] = timeText(instantOf(now));
}

/** Upstream's pkg/registry/core/persistentvolume. */
export const persistentVolumeStrategy: KindStrategy = {
  hasGeneration: false,
  default: defaultPersistentVolume,
  prepareForCreate(volume, { now }) {
    volume['status'] = { phase: 'Pending', [SINCE]: timeText(instantOf(now)) };
  },
  prepareForUpdate: (volume, old) => keepField(volume, old, 'status'),
  validate: (volume) => validateVolume(volume),
  // Upstream checks the whole volume twice on an update, and says so twice.
  validateUpdate: (volume, old) => [...validateVolume(volume, old), ...validateVolumeUpdate(volume, old)],
  warnings: volumeWarnings,
  subresources: {
    status: {
      prepareForUpdate(volume, old, { now }) {
        keepField(volume, old, 'spec');
        stampPhase(volume, old, now);
      },
    },
  },
};
