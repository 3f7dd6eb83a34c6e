import type { JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import { distinct, plural, quoted, type Check } from '../check.ts';

const ALLOWED: readonly string[] = [
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

/** In upstream's order: of several, the first is named. */
const KNOWN: readonly string[] = [
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

const typeOf = (volume: JsonObject): string => KNOWN.find((type) => has(volume, type)) ?? 'unknown';

/** Only volumes that are the pod's own, or claimed. */
export const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  overrides: 'hostPathVolumes',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const bad = items(spec, 'volumes').filter((volume) => !ALLOWED.some((type) => has(volume, type)));
        if (bad.length === 0) return undefined;
        const names = bad.map((volume) => text(volume, 'name'));
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
