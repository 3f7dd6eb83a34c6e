import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { quote } from '#lib/machinery/go.ts';
import { entries, has, text } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import type { PodValidationOptions } from './options.ts';
import { localDescendingPath } from './paths.ts';
import { containersOf } from './visit.ts';

export const MIRROR_POD = 'kubernetes.io/config.mirror';
export const APP_ARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';
export const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
export const SECCOMP_CONTAINER_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** The annotations of a pod or template that mean something. `metadata` and `spec` are its own. */
export function validatePodAnnotations(
  metadata: JsonObject | undefined,
  spec: JsonObject,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const annotations = objectAt(metadata, 'annotations');
  const mirror = stringAt(annotations, MIRROR_POD);
  const unbound = mirror !== undefined && text(spec, 'nodeName') === '';
  const message = 'must set spec.nodeName if mirror pod annotation is set';
  return [
    ...(unbound ? [invalid(path.key(MIRROR_POD), mirror, message)] : []),
    ...(options.allowInvalidDeletionCost ? [] : deletionCost(annotations, path)),
    ...seccomp(metadata, path),
    ...appArmor(metadata, spec, path),
  ];
}

function deletionCost(annotations: JsonObject | undefined, path: FieldPath): FieldError[] {
  const wrong = deletionCostError(annotations);
  return wrong === undefined ? [] : [invalid(path.key(DELETION_COST), wrong, 'must be a 32bit integer')];
}

/** The value of the deletion cost where it is none. */
export function deletionCostError(annotations: JsonObject | undefined): string | undefined {
  const value = stringAt(annotations, DELETION_COST);
  if (value === undefined) return undefined;
  const canonical = /^(0|[-+]?[1-9][0-9]{0,9})$/.test(value) && !value.startsWith('+');
  const cost = Number(value);
  return canonical && cost >= -(2 ** 31) && cost < 2 ** 31 ? undefined : value;
}

function seccomp(metadata: JsonObject | undefined, path: FieldPath): FieldError[] {
  return entries(metadata, 'annotations').flatMap(([key, profile]) =>
    key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER_PREFIX) ? seccompProfile(profile, path.child(key)) : [],
  );
}

const LOCALHOST = 'localhost/';
const SECCOMP_NAMES = ['runtime/default', 'docker/default', 'unconfined'];

function seccompProfile(profile: string, path: FieldPath): FieldError[] {
  if (SECCOMP_NAMES.includes(profile)) return [];
  if (profile.startsWith(LOCALHOST)) return localDescendingPath(profile.slice(LOCALHOST.length), path);
  return [invalid(path, profile, 'must be a valid seccomp profile')];
}

function appArmor(metadata: JsonObject | undefined, spec: JsonObject, path: FieldPath): FieldError[] {
  const names = new Set(containersOf(spec).map((container) => text(container, 'name')));
  return entries(metadata, 'annotations').flatMap(([key, profile]) => {
    if (!key.startsWith(APP_ARMOR_PREFIX)) return [];
    const container = key.slice(APP_ARMOR_PREFIX.length);
    const known = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(LOCALHOST);
    return [
      ...(names.has(container) ? [] : [invalid(path.key(key), container, 'container not found')]),
      ...(known ? [] : [invalid(path.key(key), profile, `invalid AppArmor profile name: ${quote(profile)}`)]),
    ];
  });
}

/** Annotations that an update may neither add, change nor remove. */
export function validatePodAnnotationUpdates(metadata: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const guarded = (key: string): string | undefined => {
    if (key.startsWith(APP_ARMOR_PREFIX)) return 'AppArmor annotations';
    return key === MIRROR_POD ? 'mirror pod annotation' : undefined;
  };
  const now = objectAt(metadata, 'annotations');
  const changed = entries(old, 'annotations').flatMap(([key, value]) => {
    const what = guarded(key);
    if (what === undefined || stringAt(now, key) === value) return [];
    return [forbidden(path.key(key), `may not remove or update ${what}`)];
  });
  const added = entries(metadata, 'annotations').flatMap(([key]) => {
    const what = guarded(key);
    if (what === undefined || has(objectAt(old, 'annotations'), key)) return [];
    return [forbidden(path.key(key), `may not add ${what}`)];
  });
  return [...changed, ...added];
}
