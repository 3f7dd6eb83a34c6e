import type { Container } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from '#lib/machinery/validation/field.ts';
import { each, namesOf } from '../../../shared/validate.ts';
import { validateContainer } from './container.ts';
import { validateLifecycle } from './handlers.ts';
import { hostPortConflicts } from './ports.ts';
import { validateProbes } from './probes.ts';
import { validateContainerRestartPolicy, validateInitContainerRestartPolicy } from './restart-policy.ts';
import type { PodScope } from './scope.ts';

/** Upstream's validateContainers: a pod has at least one container. Container names and host ports are unique. */
export function validateContainers(list: readonly Container[], path: FieldPath, scope: PodScope): FieldError[] {
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

function uniqueName({ name }: Container, path: FieldPath, names: Set<string>): FieldError[] {
  if (names.has(name)) return [duplicate(path.child('name'), name)];
  names.add(name);
  return [];
}

/** Validates lifecycle and probes of containers that keep running. */
function running(container: Container, path: FieldPath, scope: PodScope): FieldError[] {
  const { lifecycle } = container;
  return [
    ...(lifecycle === undefined ? [] : validateLifecycle(lifecycle, path.child('lifecycle'), scope)),
    ...validateProbes(container, path, scope.gracePeriod),
  ];
}

/** Upstream's validateInitContainers. `containers` are the regular containers, whose names init containers may not reuse. */
export function validateInitContainers(
  list: readonly Container[],
  containers: readonly Container[],
  path: FieldPath,
  scope: PodScope,
): FieldError[] {
  const names = namesOf(containers);
  return each(list, path, (container, at) => {
    const sidecar = isSidecar(container);
    return [
      ...validateContainer(container, at, scope),
      ...validateInitContainerRestartPolicy(container, at),
      ...(container.name === '' && !names.has('') ? [] : uniqueName(container, at, names)),
      // Init containers run one at a time, so only ports of the same container can conflict.
      ...hostPortConflicts([container], path),
      ...(sidecar ? running(container, at, scope) : forbiddenFields(container, at)),
      ...(sidecar || scope.options.allowRestartContainerForInit ? [] : resizeWithoutRestart(container, at)),
    ];
  });
}

/** Fields of containers that keep running. */
const RUNNING = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function forbiddenFields(container: Container, path: FieldPath): FieldError[] {
  const message = 'may not be set for init containers without restartPolicy=Always';
  return RUNNING.filter((field) => container[field] !== undefined).map((field) =>
    forbidden(path.child(field), message),
  );
}

function resizeWithoutRestart({ resizePolicy = [] }: Container, path: FieldPath): FieldError[] {
  const message = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return each(resizePolicy, path.child('resizePolicy'), ({ restartPolicy: value }, at) =>
    value === 'RestartContainer' ? [invalid(at.child('restartPolicy'), value, message)] : [],
  );
}
