import type { Container, EphemeralContainer } from '#lib/api/types/core.v1.ts';
import { hasNoField } from '#lib/machinery/json-value.ts';
import { duplicate, type FieldError, type FieldPath, forbidden, notFound } from '#lib/machinery/validation/field.ts';
import { each, namesOf } from '../../../shared/validate.ts';
import { validateContainer, validateImageTrimmed } from './container.ts';
import type { PodScope } from './scope.ts';

/** Upstream's validateEphemeralContainers, for debug containers. `others` are the pod's regular and init containers. */
export function validateEphemeralContainers(
  list: readonly EphemeralContainer[],
  others: readonly Container[],
  path: FieldPath,
  scope: PodScope,
): FieldError[] {
  const targets = namesOf(others);
  const names = namesOf(others);
  return each(list, path, (container, at) => {
    const { name } = container;
    const again = names.has(name) ? [duplicate(at.child('name'), name)] : [];
    names.add(name);
    return [
      ...validateContainer(container, at, scope),
      ...validateImageTrimmed(container, at),
      ...again,
      ...target(container, at, targets),
      ...forbiddenFields(container, at),
      ...subPaths(container, at),
    ];
  });
}

function target(
  { targetContainerName: name = '' }: EphemeralContainer,
  path: FieldPath,
  targets: ReadonlySet<string>,
): FieldError[] {
  return name === '' || targets.has(name) ? [] : [notFound(path.child('targetContainerName'), name)];
}

const MESSAGE = 'cannot be set for an Ephemeral Container';
/** In upstream's order. `resources` are forbidden unless empty. */
const FORBIDDEN = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

function forbiddenFields(container: EphemeralContainer, path: FieldPath): FieldError[] {
  return FORBIDDEN.filter((field) => isSet(container, field)).map((field) => forbidden(path.child(field), MESSAGE));
}

function isSet(container: EphemeralContainer, field: (typeof FORBIDDEN)[number]): boolean {
  if (field === 'resources') return !hasNoField(container.resources);
  const value = container[field];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function subPaths({ volumeMounts = [] }: EphemeralContainer, path: FieldPath): FieldError[] {
  return each(volumeMounts, path.child('volumeMounts'), (mount, at) =>
    (['subPath', 'subPathExpr'] as const)
      .filter((field) => (mount[field] ?? '') !== '')
      .map((field) => forbidden(at.child(field), MESSAGE)),
  );
}
