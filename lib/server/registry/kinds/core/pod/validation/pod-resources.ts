import type { PodSpec, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { aggregateContainers } from '#lib/helpers/component-helpers/resource/resource-totals.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { canonicalQuantity, compareQuantities, quantities } from '#lib/machinery/resource/quantities.ts';
import { type FieldError, type FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import { each } from '../../../shared/validate.ts';
import { validatePodLevelResources } from './resources.ts';
import type { PodScope } from './scope.ts';

/** Upstream's validatePodResourceRequirements: `spec.resources` has only supported resources and covers the containers. */
export function validatePodResources(spec: PodSpec, path: FieldPath, scope: PodScope): FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  if (spec.os?.name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  return [
    ...((resources.claims ?? []).length > 0
      ? [forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level')]
      : []),
    ...validatePodLevelResources(resources, path, scope),
    ...covers(spec, resources, 'requests', path),
    ...covers(spec, resources, 'limits', path),
    ...containerLimits(spec, resources, path),
  ];
}

type List = 'requests' | 'limits';

/** Pod requests must cover the sum of the containers' requests. For limits this applies only to huge pages. */
function covers(spec: PodSpec, resources: ResourceRequirements, list: List, path: FieldPath): FieldError[] {
  return [...aggregateContainers(spec, list)].sort().flatMap(([name, sum]) => {
    const pod = ownField(resources[list], name);
    if (pod === undefined || (list === 'limits' && !isHugePages(name)) || compareQuantities(sum, pod) <= 0) return [];
    const message = `must be greater than or equal to aggregate container ${list} of ${canonicalQuantity(sum)}`;
    return [invalid(path.child(list).key(name), canonicalQuantity(pod), message)];
  });
}

function containerLimits(spec: PodSpec, resources: ResourceRequirements, path: FieldPath): FieldError[] {
  return each(spec.containers ?? [], path.child('containers'), (container, at) =>
    quantities(container.resources, 'limits').flatMap(([name, limit]) => {
      const pod = ownField(resources.limits, name);
      if (pod === undefined || compareQuantities(limit, pod) <= 0) return [];
      const message = `must be less than or equal to pod limits of ${canonicalQuantity(pod)}`;
      return [invalid(at.key(name).child('limits'), canonicalQuantity(limit), message)];
    }),
  );
}
