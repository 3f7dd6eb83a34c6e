import { PERSISTENT_VOLUME_CLAIMS, STORAGE_CLASSES } from '#lib/api/types/resources.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultClass } from '../default-class.ts';
import { isAbout } from '../refusal.ts';

const MARKS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
const LEGACY = 'volume.beta.kubernetes.io/storage-class';

/** Sets the default class on a claim that names none. Does nothing if no default exists. An empty name is an explicit choice. */
export function defaultStorageClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    about: ['/persistentvolumeclaims'],
    async admit(attributes) {
      if (!isAbout(attributes, PERSISTENT_VOLUME_CLAIMS) || attributes.object === undefined) return;
      const { spec } = attributes.object;
      if (LEGACY in annotationsOf(attributes.object) || spec.storageClassName !== undefined) return;
      const name = defaultClass(await lookup.list(STORAGE_CLASSES), MARKS);
      if (name !== undefined) spec.storageClassName = name;
    },
  };
}
