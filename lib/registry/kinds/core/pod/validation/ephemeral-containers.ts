import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import { duplicate, forbidden, notFound, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { each, namesOf } from '../../../shared/validate.ts';
import { validateContainer, validateImageTrimmed } from './container.ts';
import type { PodScope } from './scope.ts';

/** Debug containers; `others` are the pod's regular and init containers. */
export function validateEphemeralContainers(
  list: readonly JsonObject[],
  others: readonly JsonObject[],
  path: FieldPath,
  scope: PodScope,
): FieldError[] {
  const targets = namesOf(others);
  const names = namesOf(others);
  return each(list, path, (container, at) => {
    const name = text(container, 'name');
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

function target(container: JsonObject, path: FieldPath, targets: ReadonlySet<string>): FieldError[] {
  const name = text(container, 'targetContainerName');
  return name === '' || targets.has(name) ? [] : [notFound(path.child('targetContainerName'), name)];
}

const MESSAGE = 'cannot be set for an Ephemeral Container';
/** In upstream's order; resources count where they say anything. */
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
];

function forbiddenFields(container: JsonObject, path: FieldPath): FieldError[] {
  return FORBIDDEN.filter((field) => isSet(container, field)).map((field) => forbidden(path.child(field), MESSAGE));
}

function isSet(container: JsonObject, field: string): boolean {
  if (field === 'resources') return Object.keys(objectAt(container, field) ?? {}).length > 0;
  return field.endsWith('s') ? arrayAt(container, field).length > 0 : has(container, field);
}

function subPaths(container: JsonObject, path: FieldPath): FieldError[] {
  return each(items(container, 'volumeMounts'), path.child('volumeMounts'), (mount, at) =>
    ['subPath', 'subPathExpr']
      .filter((field) => text(mount, field) !== '')
      .map((field) => forbidden(at.child(field), MESSAGE)),
  );
}
