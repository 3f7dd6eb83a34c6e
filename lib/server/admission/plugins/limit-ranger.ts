import type { LimitRange, PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import { LIMIT_RANGES, PERSISTENT_VOLUME_CLAIMS, PODS } from '#lib/api/types/resources.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { claimErrors, podErrors } from '../limit-range/constraints.ts';
import { setDefaults } from '../limit-range/defaults.ts';
import { type AttributesOf, isAbout, refusal } from '../refusal.ts';

/** Sets a namespace's default requests and limits on containers, and rejects pods and claims outside its limits. */
export function limitRanger(lookup: Lookup): AdmissionPlugin {
  const ranges = ({ namespace }: Attributes) => lookup.list({ ...LIMIT_RANGES, namespace });
  return {
    name: 'LimitRanger',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods', '/persistentvolumeclaims'],
    async admit(attributes) {
      if (!isLimitedPod(attributes) || attributes.object === undefined) return;
      for (const range of await ranges(attributes)) setDefaults(attributes.object, range);
    },
    async validate(attributes) {
      const errorsIn = checkOf(attributes);
      if (errorsIn === undefined) return;
      for (const range of await ranges(attributes)) {
        const errors = [...new Set(errorsIn(range))];
        if (errors.length > 0)
          throw refusal(attributes, errors.length === 1 ? `${errors[0]}` : `[${errors.join(', ')}]`);
      }
    },
  };
}

/** Returns the check of the request's object against a LimitRange. Undefined if limits do not apply to the object. */
function checkOf(attributes: Attributes): ((range: LimitRange) => string[]) | undefined {
  if (isLimitedPod(attributes)) {
    const { object: pod } = attributes;
    return pod && ((range) => podErrors(pod.spec, range));
  }
  if (!isLimitedClaim(attributes)) return undefined;
  const { object: claim } = attributes;
  return claim && ((range) => claimErrors(claim.spec, range));
}

/** Pods are checked on creation and resize. */
function isLimitedPod(attributes: Attributes): attributes is AttributesOf<Pod> {
  return isAbout(attributes, PODS, attributes.operation === 'CREATE' ? '' : 'resize') && !wasDeleting(attributes);
}

/** Claims are checked on every write. */
function isLimitedClaim(attributes: Attributes): attributes is AttributesOf<PersistentVolumeClaim> {
  return isAbout(attributes, PERSISTENT_VOLUME_CLAIMS) && !wasDeleting(attributes);
}

const wasDeleting = ({ oldObject }: Attributes): boolean => oldObject !== undefined && isDeleting(oldObject);
