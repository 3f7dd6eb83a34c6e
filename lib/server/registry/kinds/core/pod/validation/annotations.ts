import type { PodSpec } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { MIRROR_POD } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_INT32, MIN_INT32 } from '#lib/machinery/integer-limits.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, type FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import type { PodValidationOptions } from './options.ts';
import { localDescendingPath } from './paths.ts';
import { containersOf } from './visit.ts';

/** The prefix of a container's AppArmor annotation, before the container's name. */
export const APP_ARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';
/** The pod-level seccomp annotation. */
export const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
/** The prefix of a container's seccomp annotation, before the container's name. */
export const SECCOMP_CONTAINER_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** Upstream's ValidatePodSpecificAnnotations. `metadata` and `spec` belong to the pod or template. */
export function validatePodAnnotations(
  { annotations }: ObjectMeta,
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const mirror = ownField(annotations, MIRROR_POD);
  const unbound = mirror !== undefined && (spec.nodeName ?? '') === '';
  const message = 'must set spec.nodeName if mirror pod annotation is set';
  return [
    ...(unbound ? [invalid(path.key(MIRROR_POD), mirror, message)] : []),
    ...(options.allowInvalidDeletionCost ? [] : deletionCost(annotations, path)),
    ...seccomp(annotations, path),
    ...appArmor(annotations, spec, path),
  ];
}

type Annotations = Record<string, string> | undefined;

function deletionCost(annotations: Annotations, path: FieldPath): FieldError[] {
  const wrong = deletionCostError(annotations);
  return wrong === undefined ? [] : [invalid(path.key(DELETION_COST), wrong, 'must be a 32bit integer')];
}

/** The value of the deletion cost annotation if it is invalid. */
export function deletionCostError(annotations: Annotations): string | undefined {
  const value = ownField(annotations, DELETION_COST);
  if (value === undefined) return undefined;
  const canonical = /^(0|[-+]?[1-9][0-9]{0,9})$/.test(value) && !value.startsWith('+');
  const cost = Number(value);
  return canonical && cost >= MIN_INT32 && cost <= MAX_INT32 ? undefined : value;
}

function seccomp(annotations: Annotations, path: FieldPath): FieldError[] {
  return sortedEntries(annotations).flatMap(([key, profile]) =>
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

function appArmor(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const names = new Set(containersOf(spec).map(({ name }) => name));
  return sortedEntries(annotations).flatMap(([key, profile]) => {
    if (!key.startsWith(APP_ARMOR_PREFIX)) return [];
    const container = key.slice(APP_ARMOR_PREFIX.length);
    const known = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(LOCALHOST);
    return [
      ...(names.has(container) ? [] : [invalid(path.key(key), container, 'container not found')]),
      ...(known ? [] : [invalid(path.key(key), profile, `invalid AppArmor profile name: ${quote(profile)}`)]),
    ];
  });
}

/** Rejects changes to immutable annotations. */
export function validatePodAnnotationUpdates(
  { annotations }: ObjectMeta,
  { annotations: old }: ObjectMeta,
  path: FieldPath,
): FieldError[] {
  const guarded = (key: string): string | undefined => {
    if (key.startsWith(APP_ARMOR_PREFIX)) return 'AppArmor annotations';
    return key === MIRROR_POD ? 'mirror pod annotation' : undefined;
  };
  const changed = sortedEntries(old).flatMap(([key, value]) => {
    const kind = guarded(key);
    if (kind === undefined || ownField(annotations, key) === value) return [];
    return [forbidden(path.key(key), `may not remove or update ${kind}`)];
  });
  const added = sortedEntries(annotations).flatMap(([key]) => {
    const kind = guarded(key);
    if (kind === undefined || ownField(old, key) !== undefined) return [];
    return [forbidden(path.key(key), `may not add ${kind}`)];
  });
  return [...changed, ...added];
}
