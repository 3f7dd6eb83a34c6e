import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { compareQuantities, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import type { Evaluator } from '../evaluator.ts';
import { classMatches } from '../scopes.ts';
import { countName } from './object-count.ts';

const COUNT = countName('', 'persistentvolumeclaims');
const NAMES = ['persistentvolumeclaims', 'requests.storage'];
const OF_CLASS = '.storageclass.storage.k8s.io/';
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** Counts claims and their requested storage, also per storage class. */
export const persistentVolumeClaims: Evaluator<PersistentVolumeClaim> = {
  group: '',
  resource: 'persistentvolumeclaims',
  hasScopes: true,
  handles({ operation, subresource, object, oldObject }) {
    if (subresource === '') return operation === 'CREATE' || operation === 'UPDATE';
    return subresource === 'status' && oldObject !== undefined && differs(object, oldObject);
  },
  counts: (name) => name === COUNT || NAMES.some((resource) => name === resource || name.endsWith(OF_CLASS + resource)),
  usage(claim) {
    const storageClass = annotationsOf(claim)[CLASS_ANNOTATION] ?? claim.spec.storageClassName ?? '';
    const storage = storageOf(claim);
    const used: [string, string][] = [
      ['persistentvolumeclaims', '1'],
      ...(storage === undefined ? [] : [['requests.storage', storage] satisfies [string, string]]),
    ];
    const ofClass = used.map(([name, value]): [string, string] => [storageClass + OF_CLASS + name, value]);
    return new Map([[COUNT, '1'], ...used, ...(storageClass === '' ? [] : ofClass)]);
  },
  inScope(claim, requirement) {
    if (requirement.scope !== 'VolumeAttributesClass') return false;
    const names = attributeClasses(claim);
    return (names.length === 0 ? [''] : names).some((name) => classMatches(name, requirement));
  },
};

/** Returns the requested or the allocated storage, whichever is larger, in whole bytes. */
function storageOf({ spec, status }: PersistentVolumeClaim): string | undefined {
  const asked = ownField(spec.resources.requests, 'storage');
  const allocated = ownField(status.allocatedResources, 'storage');
  if (asked === undefined) return undefined;
  const more = allocated !== undefined && compareQuantities(allocated, asked) > 0 ? allocated : asked;
  return compareQuantities(String(wholeValue(more)), more) === 0 ? more : String(wholeValue(more));
}

/** Returns the current, requested and target attribute classes of a claim. */
function attributeClasses({ spec, status }: PersistentVolumeClaim): string[] {
  return [
    spec.volumeAttributesClassName ?? '',
    status.currentVolumeAttributesClassName ?? '',
    status.modifyVolumeStatus?.targetVolumeAttributesClassName ?? '',
  ].filter((name) => name !== '');
}

function differs(claim: PersistentVolumeClaim, before: PersistentVolumeClaim): boolean {
  const allocated = ({ status }: PersistentVolumeClaim) => sortedEntries(status.allocatedResources).flat().join();
  const classes = (one: PersistentVolumeClaim) => attributeClasses(one).sort().join();
  if (claim.status.allocatedResources !== undefined && allocated(claim) !== allocated(before)) return true;
  return classes(claim) !== classes(before);
}
