import { annotationsOf } from '#lib/machinery/meta.ts';
import { at, ensure, has } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultClass } from '../default-class.ts';
import { isAbout } from '../refusal.ts';

const CLASSES = { group: 'storage.k8s.io', resource: 'storageclasses' };
const MARKS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
const LEGACY = 'volume.beta.kubernetes.io/storage-class';

/** A claim that names no class gets the default one, where there is one. An empty name is a choice. */
export function defaultStorageClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    about: ['/persistentvolumeclaims'],
    async admit(attributes) {
      const { object } = attributes;
      if (!isAbout(attributes, '/persistentvolumeclaims') || object === undefined) return;
      if (LEGACY in annotationsOf(object) || has(at(object, 'spec'), 'storageClassName')) return;
      const name = defaultClass(await lookup.list(CLASSES), MARKS);
      if (name !== undefined) ensure(object, 'spec')['storageClassName'] = name;
    },
  };
}
