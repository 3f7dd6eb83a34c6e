import type { PersistentVolume } from '#lib/api/types/core.v1.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { keepField } from '../../shared/status.ts';
import { defaultPersistentVolume } from './defaults.ts';
import { validateVolume, validateVolumeUpdate } from './validation.ts';
import { volumeWarnings } from './warnings.ts';

/** Sets the time of a phase change, unless the client sets one. */
function stampPhase({ status }: PersistentVolume, { status: before }: PersistentVolume, now: Date): void {
  const same = (status.phase ?? '') === (before.phase ?? '');
  const given = status.lastPhaseTransitionTime;
  if (same && given === undefined) keepField(status, before, 'lastPhaseTransitionTime');
  if (same || (given !== undefined && given !== before.lastPhaseTransitionTime)) return;
  status.lastPhaseTransitionTime = timeOf(now);
}

/** Upstream's pkg/registry/core/persistentvolume. */
export const persistentVolumeStrategy: KindStrategy<PersistentVolume> = {
  hasGeneration: false,
  default: defaultPersistentVolume,
  prepareForCreate(volume, { now }) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: timeOf(now) };
  },
  prepareForUpdate: (volume, old) => keepField(volume, old, 'status'),
  validate: (volume) => validateVolume(volume),
  // On an update, upstream validates the whole volume twice and reports its errors twice.
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
