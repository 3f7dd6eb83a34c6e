import { finalizersOf } from '#lib/machinery/meta.ts';
import { ensure } from '#lib/machinery/unstructured.ts';
import type { AdmissionPlugin } from '../admission.ts';

const FINALIZERS: ReadonlyMap<string, string> = new Map([
  ['/persistentvolumes', 'kubernetes.io/pv-protection'],
  ['/persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection'],
]);

/** Adds a finalizer that prevents the deletion of storage in use. A controller removes it. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  operations: ['CREATE'],
  admit({ resource, subresource, object }) {
    const finalizer = FINALIZERS.get(`${resource.group}/${resource.resource}`);
    if (finalizer === undefined || subresource !== '' || object === undefined) return;
    const given = finalizersOf(object);
    if (!given.includes(finalizer)) ensure(object, 'metadata')['finalizers'] = [...given, finalizer];
  },
};
