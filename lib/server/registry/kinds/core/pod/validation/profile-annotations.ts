import type { AppArmorProfile, PodSpec, SeccompProfile } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { type FieldError, type FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { APP_ARMOR_PREFIX, SECCOMP_CONTAINER_PREFIX, SECCOMP_POD } from './annotations.ts';
import { visitContainers } from './visit.ts';

/** Rejects profiles that differ between the field and the annotation that it replaced. */
export function validateProfileAnnotations({ annotations }: ObjectMeta, spec: PodSpec, path: FieldPath): FieldError[] {
  const pod = spec.securityContext;
  return [
    ...agree('seccomp', pod?.seccompProfile, ownField(annotations, SECCOMP_POD), path),
    ...visitContainers(spec, path, (container, where) => {
      const profile = container.securityContext?.seccompProfile;
      const annotation = ownField(annotations, `${SECCOMP_CONTAINER_PREFIX}${container.name}`);
      return agree('seccomp', profile, annotation, where);
    }),
    ...(spec.os?.name === 'windows' ? [] : appArmor(annotations, spec, path)),
  ];
}

function appArmor(annotations: ObjectMeta['annotations'], spec: PodSpec, path: FieldPath): FieldError[] {
  const pod = spec.securityContext?.appArmorProfile;
  return visitContainers(spec, path, (container, where) => {
    const profile = container.securityContext?.appArmorProfile ?? pod;
    const annotation = ownField(annotations, `${APP_ARMOR_PREFIX}${container.name}`);
    return agree('apparmor', profile, annotation, where);
  });
}

const FIELDS = { seccomp: 'seccompProfile', apparmor: 'appArmorProfile' };
const LOCALHOST = 'localhost/';

function agree(
  kind: keyof typeof FIELDS,
  profile: SeccompProfile | AppArmorProfile | undefined,
  annotation: string | undefined,
  path: FieldPath,
): FieldError[] {
  if (profile === undefined || annotation === undefined) return [];
  const where = path.child('securityContext', FIELDS[kind]);
  const type = (): FieldError[] => [forbidden(where.child('type'), `${kind} type in annotation and field must match`)];
  switch (profile.type) {
    case 'Unconfined':
      return annotation === 'unconfined' ? [] : type();
    case 'RuntimeDefault':
      return annotation === 'runtime/default' || (kind === 'seccomp' && annotation === 'docker/default') ? [] : type();
    case 'Localhost': {
      if (!annotation.startsWith(LOCALHOST)) return type();
      if (annotation.slice(LOCALHOST.length) === profile.localhostProfile) return [];
      return [forbidden(where.child('localhostProfile'), `${kind} profile in annotation and field must match`)];
    }
    default:
      return [];
  }
}
