import type { Container, Pod, PodSpec, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { clone, ownField } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import { semanticEqual } from '../../../shared/semantic.ts';
import { podQOS } from '../qos.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePod } from './pod.ts';

const SPEC = FieldPath.of('spec');
const CONTAINERS = ['containers', 'initContainers'] as const;
const AMOUNTS = ['requests', 'limits'] as const;

/** Upstream's ValidatePodResize: only CPU and memory of containers and pod may change. */
export function validateResize(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  const oldSpec = old.spec;
  if (isMirrorPod(old)) return [forbidden('[]', 'static pods cannot be resized')];
  if (oldSpec.os?.name === 'windows') return [forbidden('[]', 'windows pods cannot be resized')];
  const spec = clone(pod.spec);
  const errors = [...validatePod(pod, options), ...podErrors(pod, old), ...podResources(spec, oldSpec)];
  const order = containerOrder(spec, oldSpec);
  errors.push(...order);
  if (order.length > 0) return errors;
  errors.push(...removals(spec, oldSpec), ...regular(spec, oldSpec), ...initial(spec, oldSpec));
  if (errors.length > 0 || semanticEqual(spec, oldSpec)) return errors;
  return [forbidden(SPEC, 'only cpu and memory resources are mutable')];
}

function podErrors(pod: Pod, old: Pod): FieldError[] {
  const { status } = old;
  const before = status.qosClass || podQOS(old.spec);
  const changed = before !== podQOS(pod.spec);
  const running = (status.containerStatuses ?? []).find(({ state }) => state.running !== undefined);
  const claims = status.nodeAllocatableResourceClaimStatuses ?? [];
  const shown = pod.status.qosClass ?? '';
  return [
    ...(changed ? [invalid(SPEC, shown, 'Pod QOS Class may not change as a result of resizing')] : []),
    ...(running !== undefined && running.resources === undefined
      ? [forbidden(SPEC, 'Pod running on node without support for resize')]
      : []),
    ...(claims.length > 0 ? [forbidden(SPEC, 'pods with node allocatable resource claims cannot be resized')] : []),
  ];
}

function containerOrder(spec: PodSpec, old: PodSpec): FieldError[] {
  return CONTAINERS.flatMap((list) => {
    const path = SPEC.child(list);
    const [now, before] = [spec[list] ?? [], old[list] ?? []];
    if (now.length !== before.length) return [forbidden(path, `${list} may not be added or removed on resize`)];
    return before.flatMap(({ name }, i) => {
      if (now[i]?.name === name) return [];
      return [forbidden(path.index(i).child('name'), `${list} may not be renamed or reordered on resize`)];
    });
  });
}

function removals(spec: PodSpec, old: PodSpec): FieldError[] {
  return CONTAINERS.toReversed().flatMap((list) =>
    (old[list] ?? []).flatMap(({ resources }, i) => {
      const path = SPEC.child(list).index(i).child('resources');
      return removed(spec[list]?.[i]?.resources, resources, path, 'resource');
    }),
  );
}

function removed(
  now: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
  path: FieldPath,
  kind: string,
): FieldError[] {
  return AMOUNTS.flatMap((list) => {
    const kept = Object.keys(old?.[list] ?? {}).every((name) => ownField(now?.[list], name) !== undefined);
    return kept ? [] : [forbidden(path.child(list), `${kind} ${list} cannot be removed`)];
  });
}

/** Resets CPU and memory to their old values, so that any remaining difference is in an immutable field. */
function settle(resources: ResourceRequirements, old: ResourceRequirements | undefined): void {
  for (const list of AMOUNTS) {
    const amounts = { ...resources[list] };
    for (const name of ['cpu', 'memory']) {
      const value = ownField(old?.[list], name);
      if (value === undefined) delete amounts[name];
      else amounts[name] = value;
    }
    resources[list] = amounts;
  }
}

function settleContainer(container: Container, old: Container | undefined): boolean {
  settle(container.resources, old?.resources);
  return semanticEqual(container, old);
}

function podResources(spec: PodSpec, old: PodSpec): FieldError[] {
  const now = spec.resources;
  const before = old.resources;
  const path = SPEC.child('resources');
  if (now === undefined) return before === undefined ? [] : [forbidden(path, 'pod-level resources cannot be removed')];
  const errors = removed(now, before, path, 'pod-level resource');
  settle(now, before);
  if (semanticEqual(now, before) || (before === undefined && isBare(now))) {
    if (before === undefined) delete spec.resources;
    return errors;
  }
  return [...errors, forbidden(SPEC, 'only cpu and memory resources are mutable at pod-level')];
}

function isBare(resources: ResourceRequirements): boolean {
  return Object.values(resources).every((list) => semanticEqual(list, undefined));
}

function regular(spec: PodSpec, old: PodSpec): FieldError[] {
  const before = old.containers ?? [];
  const message = 'only cpu and memory resources are mutable';
  return (spec.containers ?? []).flatMap((container, i) =>
    settleContainer(container, before[i]) ? [] : [forbidden(SPEC, message)],
  );
}

const INIT = 'only cpu and memory resources for init or sidecar containers are mutable';
const RESTART = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';

function initial(spec: PodSpec, old: PodSpec): FieldError[] {
  const before = old.initContainers ?? [];
  return (spec.initContainers ?? []).flatMap((container, i) => {
    const path = SPEC.child('initContainers').index(i);
    const changed = !semanticEqual(container, before[i]);
    const errors = settleContainer(container, before[i]) ? [] : [forbidden(path, INIT)];
    if (!changed || isSidecar(container)) return errors;
    const restarts = (container.resizePolicy ?? []).filter(({ restartPolicy }) => restartPolicy === 'RestartContainer');
    return [...errors, ...restarts.map(() => forbidden(path, RESTART))];
  });
}
