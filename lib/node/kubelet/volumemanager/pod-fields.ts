import type { PodFields } from '#lib/node/volume/host.ts';
import { extractFieldPath } from '../fieldpath/field-path.ts';
import { allocatableResourceValue, type ResourceList } from '../fieldpath/resource-field.ts';

/**
 * Values of pod fields for downward API volumes. `allocatable` returns the node's allocatable resources, the default for missing limits.
 */
export const podFields = (allocatable: () => Promise<ResourceList>): PodFields => ({
  field: extractFieldPath,
  resource: async (pod, selector) => allocatableResourceValue(selector, pod, await allocatable()),
});
