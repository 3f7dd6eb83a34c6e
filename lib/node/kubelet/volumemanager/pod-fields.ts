import type { PodFields } from '#lib/node/volume/host.ts';
import { extractFieldPath } from '../fieldpath/field-path.ts';
import { allocatableResourceValue, type ResourceList } from '../fieldpath/resource-field.ts';

/** Values of pods for downward API volumes. `allocatable`: what this node has for pods; it stands for limits that a container has not. */
export const podFields = (allocatable: () => Promise<ResourceList>): PodFields => ({
  field: extractFieldPath,
  resource: async (pod, selector) => allocatableResourceValue(selector, pod, await allocatable()),
});
