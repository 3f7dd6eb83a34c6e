import { clone, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import { semanticEqual } from '../../../shared/semantic.ts';
import { podQOS } from '../qos.ts';
import { MIRROR_POD } from './annotations.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePod } from './pod.ts';
import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';

const SPEC = FieldPath.of('spec');

/** Upstream's ValidatePodResize: CPU and memory of containers and pod change, and nothing else. */
export function validateResize(pod: JsonObject, old: JsonObject, options: PodValidationOptions): FieldError[] {
  const oldSpec = objectAt(old, 'spec') ?? {};
  if (has(at(old, 'metadata', 'annotations'), MIRROR_POD)) return [forbidden('[]', 'static pods cannot be resized')];
  if (text(objectAt(oldSpec, 'os'), 'name') === 'windows') return [forbidden('[]', 'windows pods cannot be resized')];
  const spec = clone(objectAt(pod, 'spec') ?? {});
  const errors = [...validatePod(pod, options), ...podErrors(pod, old), ...podResources(spec, oldSpec)];
  const order = containerOrder(spec, oldSpec);
  errors.push(...order);
  if (order.length > 0) return errors;
  errors.push(...removals(spec, oldSpec), ...regular(spec, oldSpec), ...initial(spec, oldSpec));
  if (errors.length > 0 || semanticEqual(spec, oldSpec)) return errors;
  return [forbidden(SPEC, 'only cpu and memory resources are mutable')];
}

function podErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const status = objectAt(old, 'status');
  const before = text(status, 'qosClass') || podQOS(objectAt(old, 'spec') ?? {});
  const changed = before !== podQOS(objectAt(pod, 'spec') ?? {});
  const running = items(status, 'containerStatuses').find((one) => at(one, 'state', 'running') !== undefined);
  const claims = items(status, 'nodeAllocatableResourceClaimStatuses');
  const shown = text(objectAt(pod, 'status'), 'qosClass');
  return [
    ...(changed ? [invalid(SPEC, shown, 'Pod QOS Class may not change as a result of resizing')] : []),
    ...(running !== undefined && !has(running, 'resources')
      ? [forbidden(SPEC, 'Pod running on node without support for resize')]
      : []),
    ...(claims.length > 0 ? [forbidden(SPEC, 'pods with node allocatable resource claims cannot be resized')] : []),
  ];
}

function containerOrder(spec: JsonObject, old: JsonObject): FieldError[] {
  return ['containers', 'initContainers'].flatMap((list) => {
    const path = SPEC.child(list);
    const [now, before] = [items(spec, list), items(old, list)];
    if (now.length !== before.length) return [forbidden(path, `${list} may not be added or removed on resize`)];
    return before.flatMap((container, i) => {
      if (text(now[i], 'name') === text(container, 'name')) return [];
      return [forbidden(path.index(i).child('name'), `${list} may not be renamed or reordered on resize`)];
    });
  });
}

function removals(spec: JsonObject, old: JsonObject): FieldError[] {
  return ['initContainers', 'containers'].flatMap((list) =>
    items(old, list).flatMap((container, i) => {
      const path = SPEC.child(list).index(i).child('resources');
      const now = objectAt(items(spec, list)[i], 'resources');
      return removed(now, objectAt(container, 'resources'), path, 'resource');
    }),
  );
}

function removed(
  now: JsonObject | undefined,
  old: JsonObject | undefined,
  path: FieldPath,
  what: string,
): FieldError[] {
  return ['requests', 'limits'].flatMap((list) => {
    const kept = Object.keys(objectAt(old, list) ?? {}).every((name) => has(objectAt(now, list), name));
    return kept ? [] : [forbidden(path.child(list), `${what} ${list} cannot be removed`)];
  });
}

/** Sets CPU and memory to what they were, so that what is left to differ is what may not. */
function settle(resources: JsonObject, old: JsonObject | undefined): void {
  for (const list of ['requests', 'limits']) {
    const amounts = { ...objectAt(resources, list) };
    const before = objectAt(old, list);
    for (const name of ['cpu', 'memory']) {
      const value = ownField(before, name);
      if (value === undefined) delete amounts[name];
      else amounts[name] = clone<Json>(value);
    }
    resources[list] = amounts;
  }
}

function settleContainer(container: JsonObject, old: JsonObject): boolean {
  const resources = objectAt(container, 'resources') ?? {};
  settle(resources, objectAt(old, 'resources'));
  container['resources'] = resources;
  return semanticEqual(container, old);
}

function podResources(spec: JsonObject, old: JsonObject): FieldError[] {
  const now = objectAt(spec, 'resources');
  const before = objectAt(old, 'resources');
  const path = SPEC.child('resources');
  if (now === undefined) return before === undefined ? [] : [forbidden(path, 'pod-level resources cannot be removed')];
  const errors = removed(now, before, path, 'pod-level resource');
  settle(now, before);
  if (semanticEqual(now, before) || (before === undefined && isBare(now))) {
    if (before === undefined) delete spec['resources'];
    return errors;
  }
  return [...errors, forbidden(SPEC, 'only cpu and memory resources are mutable at pod-level')];
}

function isBare(resources: JsonObject): boolean {
  return Object.values(resources).every((list) => semanticEqual(list, undefined));
}

function regular(spec: JsonObject, old: JsonObject): FieldError[] {
  const before = items(old, 'containers');
  const message = 'only cpu and memory resources are mutable';
  return items(spec, 'containers').flatMap((container, i) =>
    settleContainer(container, before[i] ?? {}) ? [] : [forbidden(SPEC, message)],
  );
}

const INIT = 'only cpu and memory resources for init or sidecar containers are mutable';
const RESTART = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';

function initial(spec: JsonObject, old: JsonObject): FieldError[] {
  const before = items(old, 'initContainers');
  return items(spec, 'initContainers').flatMap((container, i) => {
    const path = SPEC.child('initContainers').index(i);
    const changed = !semanticEqual(container, before[i]);
    const errors = settleContainer(container, before[i] ?? {}) ? [] : [forbidden(path, INIT)];
    if (!changed || isSidecar(container)) return errors;
    const restarts = items(container, 'resizePolicy').filter(
      (one) => text(one, 'restartPolicy') === 'RestartContainer',
    );
    return [...errors, ...restarts.map(() => forbidden(path, RESTART))];
  });
}
