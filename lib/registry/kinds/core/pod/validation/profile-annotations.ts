import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { forbidden, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { APP_ARMOR_PREFIX, SECCOMP_CONTAINER_PREFIX, SECCOMP_POD } from './annotations.ts';
import { visitContainers } from './visit.ts';

/** Where a profile is given both by field and by the annotation that it replaced, they must agree. */
export function validateProfileAnnotations(
  metadata: JsonObject | undefined,
  spec: JsonObject,
  path: FieldPath,
): FieldError[] {
  const annotations = objectAt(metadata, 'annotations');
  const pod = objectAt(spec, 'securityContext');
  return [
    ...agree('seccomp', objectAt(pod, 'seccompProfile'), stringAt(annotations, SECCOMP_POD), path),
    ...visitContainers(spec, path, (container, where) => {
      const profile = at(container, 'securityContext', 'seccompProfile');
      const annotation = stringAt(annotations, `${SECCOMP_CONTAINER_PREFIX}${text(container, 'name')}`);
      return agree('seccomp', profile, annotation, where);
    }),
    ...(text(objectAt(spec, 'os'), 'name') === 'windows' ? [] : appArmor(annotations, spec, path)),
  ];
}

function appArmor(annotations: JsonObject | undefined, spec: JsonObject, path: FieldPath): FieldError[] {
  const pod = at(spec, 'securityContext', 'appArmorProfile');
  return visitContainers(spec, path, (container, where) => {
    const profile = at(container, 'securityContext', 'appArmorProfile') ?? pod;
    const annotation = stringAt(annotations, `${APP_ARMOR_PREFIX}${text(container, 'name')}`);
    return agree('apparmor', profile, annotation, where);
  });
}

const FIELDS = { seccomp: 'seccompProfile', apparmor: 'appArmorProfile' };
const LOCALHOST = 'localhost/';

function agree(
  kind: keyof typeof FIELDS,
  profile: JsonObject | undefined,
  annotation: string | undefined,
  path: FieldPath,
): FieldError[] {
  if (profile === undefined || annotation === undefined) return [];
  const where = path.child('securityContext', FIELDS[kind]);
  const type = (): FieldError[] => [forbidden(where.child('type'), `${kind} type in annotation and field must match`)];
  switch (text(profile, 'type')) {
    case 'Unconfined':
      return annotation === 'unconfined' ? [] : type();
    case 'RuntimeDefault':
      return annotation === 'runtime/default' || (kind === 'seccomp' && annotation === 'docker/default') ? [] : type();
    case 'Localhost': {
      if (!annotation.startsWith(LOCALHOST)) return type();
      if (annotation.slice(LOCALHOST.length) === stringAt(profile, 'localhostProfile')) return [];
      return [forbidden(where.child('localhostProfile'), `${kind} profile in annotation and field must match`)];
    }
    default:
      return [];
  }
}
