import type { Volume } from '#lib/api/types/core.v1.ts';
import { type Check, distinct, plural, quoted } from '../check.ts';

type VolumeType = Extract<keyof Volume, string>;

const ALLOWED: readonly VolumeType[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** In upstream's order. If a volume has several types, messages name the first. */
const KNOWN: readonly VolumeType[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

const typeOf = (volume: Volume): string => KNOWN.find((type) => volume[type] !== undefined) ?? 'unknown';

/** Volumes must belong to the pod itself, or be claims. */
export const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  overrides: 'hostPathVolumes',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const bad = (spec.volumes ?? []).filter((volume) => !ALLOWED.some((type) => volume[type] !== undefined));
        if (bad.length === 0) return undefined;
        const names = bad.map(({ name }) => name);
        const types = distinct(bad.map(typeOf));
        const verb = names.length === 1 ? 'uses' : 'use';
        return {
          reason: 'restricted volume types',
          detail: `${plural('volume', names)} ${quoted(names)} ${verb} ${plural('restricted volume type', types)} ${quoted(types)}`,
        };
      },
    },
  ],
};
