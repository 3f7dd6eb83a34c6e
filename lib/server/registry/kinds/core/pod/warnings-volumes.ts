import type { Volume } from '#lib/api/types/core.v1.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { claimSpecWarnings } from '../../shared/persistent-volume-claim-spec.ts';

interface Gone {
  readonly field: keyof Volume & string;
  /** Upstream's field name in warnings, if it differs. */
  readonly as?: string;
  readonly message: string;
}

/** Removed volume plugins, in upstream's order. */
const GONE: readonly Gone[] = [
  { field: 'photonPersistentDisk', message: 'deprecated in v1.11, non-functional in v1.16+' },
  { field: 'gitRepo', message: 'deprecated in v1.11, and disabled by default in v1.33+' },
  { field: 'scaleIO', message: 'deprecated in v1.16, non-functional in v1.22+' },
  { field: 'flocker', message: 'deprecated in v1.22, non-functional in v1.25+' },
  { field: 'storageos', as: 'storageOS', message: 'deprecated in v1.22, non-functional in v1.25+' },
  { field: 'quobyte', message: 'deprecated in v1.22, non-functional in v1.25+' },
  { field: 'glusterfs', message: 'deprecated in v1.25, non-functional in v1.26+' },
  { field: 'cephfs', message: 'deprecated in v1.28, non-functional in v1.31+' },
  { field: 'rbd', message: 'deprecated in v1.28, non-functional in v1.31+' },
];

/** Warnings about volumes with a removed plugin, and about the claims of generic ephemeral volumes. */
export function volumeWarnings(volumes: readonly Volume[], path: FieldPath): string[] {
  return volumes.flatMap((volume, i) => {
    const where = path.index(i);
    const gone = GONE.filter(({ field }) => volume[field] !== undefined);
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    return [
      ...gone.map(({ field, as, message }) => `${where.child(as ?? field)}: ${message}`),
      ...(claim === undefined ? [] : claimSpecWarnings(claim, where.child('ephemeral', 'volumeClaimTemplate', 'spec'))),
    ];
  });
}
