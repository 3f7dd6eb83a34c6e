import { inOrder, internalForm } from '#lib/api/internal-form.ts';
import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag, has, integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { each, inRange, optionalOneOf } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validateAppArmorProfile, validateSeccompProfile } from './profiles.ts';
import { validateWindowsOptions } from './windows.ts';

const MAX_ID = 2 ** 31 - 1;
const PROC_MOUNTS = ['Default', 'Unmasked'];

function ids(context: JsonObject, path: FieldPath, ...fields: string[]): FieldError[] {
  return fields.flatMap((field) => inRange(integer(context, field), path.child(field), 0, MAX_ID));
}

/** A container's security context. */
export function validateSecurityContext(
  context: JsonObject | undefined,
  path: FieldPath,
  hostUsers: boolean,
): FieldError[] {
  if (context === undefined) return [];
  return [
    ...ids(context, path, 'runAsUser', 'runAsGroup'),
    ...procMount(context, path, hostUsers),
    ...validateSeccompProfile(objectAt(context, 'seccompProfile'), path.child('seccompProfile')),
    ...escalation(context, path),
    ...validateWindowsOptions(objectAt(context, 'windowsOptions'), path.child('windowsOptions')),
    ...validateAppArmorProfile(objectAt(context, 'appArmorProfile'), path.child('appArmorProfile')),
  ];
}

function procMount(context: JsonObject, path: FieldPath, hostUsers: boolean): FieldError[] {
  if (!has(context, 'procMount')) return [];
  const type = text(context, 'procMount');
  const where = path.child('procMount');
  if (!PROC_MOUNTS.includes(type)) return [notSupported(where, type, PROC_MOUNTS)];
  if (!hostUsers || type !== 'Unmasked') return [];
  return [invalid(where, type, '`hostUsers` must be false to use `Unmasked`')];
}

function escalation(context: JsonObject, path: FieldPath): FieldError[] {
  if (flag(context, 'allowPrivilegeEscalation') !== false) return [];
  const cannot = (what: string): FieldError =>
    invalid(
      path,
      inOrder(internalForm('core.v1.SecurityContext', context)),
      `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
    );
  const admin = texts(objectAt(context, 'capabilities'), 'add').filter((name) => name === 'CAP_SYS_ADMIN');
  return [
    ...(flag(context, 'privileged') === true ? [cannot('`privileged` to true')] : []),
    ...admin.map(() => cannot('`capabilities.Add` CAP_SYS_ADMIN')),
  ];
}

/** The pod's security context; host namespaces are the spec's. */
export function validatePodSecurityContext(
  spec: JsonObject,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const context = objectAt(spec, 'securityContext');
  const shared = flag(spec, 'shareProcessNamespace') === true && flag(spec, 'hostPID') === true;
  return [
    ...(context === undefined ? [] : podIds(context, path)),
    ...(shared
      ? [invalid(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : []),
    ...(context === undefined ? [] : podContext(context, spec, path, options)),
  ];
}

function podIds(context: JsonObject, path: FieldPath): FieldError[] {
  const groups = arrayAt(context, 'supplementalGroups').flatMap((group, i) => {
    const id = typeof group === 'number' || typeof group === 'bigint' ? group : 0;
    return inRange(id, path.child('supplementalGroups').index(i), 0, MAX_ID);
  });
  return [...ids(context, path, 'fsGroup', 'runAsUser', 'runAsGroup'), ...groups];
}

function podContext(
  context: JsonObject,
  spec: JsonObject,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const selinux = options.allowAnySELinuxChangePolicy ? ['MountOption', 'Recursive'] : ['Recursive'];
  return [
    ...validateSysctls(items(context, 'sysctls'), spec, path.child('sysctls'), options),
    ...optionalOneOf(context, 'fsGroupChangePolicy', path, ['Always', 'OnRootMismatch']),
    ...validateSeccompProfile(objectAt(context, 'seccompProfile'), path.child('seccompProfile')),
    ...validateWindowsOptions(objectAt(context, 'windowsOptions'), path.child('windowsOptions')),
    ...validateAppArmorProfile(objectAt(context, 'appArmorProfile'), path.child('appArmorProfile')),
    ...optionalOneOf(context, 'supplementalGroupsPolicy', path, ['Merge', 'Strict']),
    ...optionalOneOf(context, 'seLinuxChangePolicy', path, selinux),
  ];
}

const SYSCTL_MAX = 253;
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SEGMENT = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function validateSysctls(
  sysctls: readonly JsonObject[],
  spec: JsonObject,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const seen = new Set<string>();
  return each(sysctls, path, (sysctl, at) => {
    const name = text(sysctl, 'name');
    const where = at.child('name');
    const errors = sysctlName(name, seen, where);
    seen.add(name);
    return options.allowNamespacedSysctls ? errors : [...errors, ...hostSysctl(name, spec, where)];
  });
}

function sysctlName(name: string, seen: ReadonlySet<string>, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const valid = name.length <= SYSCTL_MAX && name.split(/[./]/).every((segment) => SEGMENT.test(segment));
  if (!valid) return [invalid(path, name, `must have at most ${SYSCTL_MAX} characters and match regex ${SYSCTL}`)];
  return seen.has(name) ? [duplicate(path, name)] : [];
}

const IPC_SYSCTL = /^(kernel\.(sem|shm|shmall|shmmax|shmmni|shm_rmid_forced|msg|msgmax|msgmnb|msgmni)$|fs\.mqueue\.)/;

/** A sysctl of a namespace that the pod shares with its host. */
export function hostSysctl(name: string, spec: JsonObject, path: FieldPath): FieldError[] {
  const dotted = name.replaceAll('/', '.');
  if (dotted.startsWith('net.') && flag(spec, 'hostNetwork') === true) {
    return [invalid(path, name, "may not be specified when 'hostNetwork' is true")];
  }
  if (IPC_SYSCTL.test(dotted) && flag(spec, 'hostIPC') === true) {
    return [invalid(path, name, "may not be specified when 'hostIPC' is true")];
  }
  return [];
}
