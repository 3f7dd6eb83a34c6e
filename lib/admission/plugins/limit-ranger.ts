import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, has } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { limitErrors } from '../limit-range/constraints.ts';
import { setDefaults } from '../limit-range/defaults.ts';
import { refusal } from '../refusal.ts';

/** Gives containers a namespace's default requests and limits, and refuses what is beyond its bounds. */
export function limitRanger(lookup: Lookup): AdmissionPlugin {
  const ranges = ({ namespace }: Attributes) => lookup.list({ group: '', resource: 'limitranges', namespace });
  return {
    name: 'LimitRanger',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods', '/persistentvolumeclaims'],
    async admit(attributes) {
      const { object, resource } = attributes;
      if (!isLimited(attributes) || object === undefined || resource.resource !== 'pods') return;
      for (const range of await ranges(attributes)) setDefaults(object, range);
    },
    async validate(attributes) {
      const { object, resource } = attributes;
      if (!isLimited(attributes) || object === undefined) return;
      for (const range of await ranges(attributes)) {
        const errors = [...new Set(limitErrors(resource.resource, ensure(object, 'spec'), range))];
        if (errors.length > 0)
          throw refusal(attributes, errors.length === 1 ? `${errors[0]}` : `[${errors.join(', ')}]`);
      }
    },
  };
}

/** Pods when they are created or resized, claims whenever they are written; nothing that is being deleted. */
function isLimited({ resource, subresource, operation, oldObject }: Attributes): boolean {
  if (resource.group !== '' || isDeleting(oldObject)) return false;
  if (resource.resource === 'persistentvolumeclaims') return subresource === '';
  if (resource.resource !== 'pods') return false;
  return operation === 'CREATE' ? subresource === '' : subresource === 'resize';
}

const isDeleting = (object: JsonObject | undefined): boolean => has(objectAt(object, 'metadata'), 'deletionTimestamp');
