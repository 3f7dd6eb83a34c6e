import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { at, flag, text } from '#lib/machinery/unstructured.ts';
import { compareQuantities, quantities } from '#lib/machinery/resource/quantities.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const CLASSES = { group: 'storage.k8s.io', resource: 'storageclasses' };
const UNSUPPORTED =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/** A claim grows only when it is bound and its class can do that. */
export function persistentVolumeClaimResize(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    operations: ['UPDATE'],
    about: ['/persistentvolumeclaims'],
    async validate(attributes) {
      const { object, oldObject } = attributes;
      if (!isAbout(attributes, '/persistentvolumeclaims') || object === undefined || oldObject === undefined) return;
      if (compareQuantities(sizeOf(object), sizeOf(oldObject)) <= 0) return;
      if (text(at(oldObject, 'status'), 'phase') !== 'Bound')
        throw refusal(attributes, 'Only bound persistent volume claims can be expanded');
      const name = classOf(object);
      const chosen = name === '' || name !== classOf(oldObject) ? undefined : await lookup.find(CLASSES, name);
      if (flag(chosen, 'allowVolumeExpansion') !== true) throw refusal(attributes, UNSUPPORTED);
    },
  };
}

const sizeOf = (claim: JsonObject): string =>
  new Map(quantities(at(claim, 'spec', 'resources'), 'requests')).get('storage') ?? '0';

/** The old annotation goes before the field. */
const classOf = (claim: JsonObject): string =>
  annotationsOf(claim)['volume.beta.kubernetes.io/storage-class'] ?? text(at(claim, 'spec'), 'storageClassName');
