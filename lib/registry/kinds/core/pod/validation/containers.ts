import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { each, namesOf } from '../../../shared/validate.ts';
import { validateContainer } from './container.ts';
import { validateLifecycle } from './handlers.ts';
import { hostPortConflicts } from './ports.ts';
import { validateProbes } from './probes.ts';
import { validateContainerRestartPolicy, validateInitContainerRestartPolicy } from './restart-policy.ts';
import type { PodScope } from './scope.ts';
import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';

export function validateContainers(list: readonly JsonObject[], path: FieldPath, scope: PodScope): FieldError[] {
  if (list.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = each(list, path, (container, at) => [
    ...validateContainer(container, at, scope),
    ...uniqueName(container, at, names),
    ...running(container, at, scope),
    ...validateContainerRestartPolicy(container, at),
  ]);
  return [...errors, ...hostPortConflicts(list, path)];
}

function uniqueName(container: JsonObject, path: FieldPath, names: Set<string>): FieldError[] {
  const name = text(container, 'name');
  if (names.has(name)) return [duplicate(path.child('name'), name)];
  names.add(name);
  return [];
}

/** Lifecycle and probes, of containers that keep running. */
function running(container: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const lifecycle = objectAt(container, 'lifecycle');
  return [
    ...(lifecycle === undefined ? [] : validateLifecycle(lifecycle, path.child('lifecycle'), scope)),
    ...validateProbes(container, path, scope.gracePeriod),
  ];
}

/** `containers` are the pod's regular ones, whose names init containers may not have. */
export function validateInitContainers(
  list: readonly JsonObject[],
  containers: readonly JsonObject[],
  path: FieldPath,
  scope: PodScope,
): FieldError[] {
  const names = namesOf(containers);
  return each(list, path, (container, at) => {
    const sidecar = isSidecar(container);
    return [
      ...validateContainer(container, at, scope),
      ...validateInitContainerRestartPolicy(container, at),
      ...(text(container, 'name') === '' && !names.has('') ? [] : uniqueName(container, at, names)),
      // Init containers run one by one, so their ports can only conflict within one.
      ...hostPortConflicts([container], path),
      ...(sidecar ? running(container, at, scope) : forbiddenFields(container, at)),
      ...(sidecar || scope.options.allowRestartContainerForInit ? [] : resizeWithoutRestart(container, at)),
    ];
  });
}

function forbiddenFields(container: JsonObject, path: FieldPath): FieldError[] {
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((field) => objectAt(container, field) !== undefined)
    .map((field) => forbidden(path.child(field), 'may not be set for init containers without restartPolicy=Always'));
}

function resizeWithoutRestart(container: JsonObject, path: FieldPath): FieldError[] {
  const message = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return each(items(container, 'resizePolicy'), path.child('resizePolicy'), (policy, at) => {
    const value = text(policy, 'restartPolicy');
    return value === 'RestartContainer' ? [invalid(at.child('restartPolicy'), value, message)] : [];
  });
}
