import { inOrder, internalForm } from '#lib/api/internal-form.ts';
import type { PodSecurityContext, PodSpec, SecurityContext, Sysctl } from '#lib/api/types/core.v1.ts';
import type { Int64 } from '#lib/api/types/scalars.ts';
import { sysctlNamespace } from '#lib/helpers/component-helpers/node/sysctl.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { each, inRange, optionalOneOf } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validateAppArmorProfile, validateSeccompProfile } from './profiles.ts';
import { validateWindowsOptions } from './windows.ts';

const PROC_MOUNTS = ['Default', 'Unmasked'];

type Id = 'runAsUser' | 'runAsGroup' | 'fsGroup';

function ids<F extends Id>(context: { [K in F]?: Int64 }, path: FieldPath, ...fields: F[]): FieldError[] {
  return fields.flatMap((field) => inRange(context[field], path.child(field), 0, MAX_INT32));
}

/** Upstream's ValidateSecurityContext, for a container. `hostUsers` is true if the pod does not have its own user namespace. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  path: FieldPath,
  hostUsers: boolean,
): FieldError[] {
  if (context === undefined) return [];
  return [
    ...ids(context, path, 'runAsUser', 'runAsGroup'),
    ...procMount(context, path, hostUsers),
    ...validateSeccompProfile(context.seccompProfile, path.child('seccompProfile')),
    ...escalation(context, path),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
  ];
}

function procMount({ procMount: type }: SecurityContext, path: FieldPath, hostUsers: boolean): FieldError[] {
  if (type === undefined) return [];
  const where = path.child('procMount');
  if (!PROC_MOUNTS.includes(type)) return [notSupported(where, type, PROC_MOUNTS)];
  if (!hostUsers || type !== 'Unmasked') return [];
  return [invalid(where, type, '`hostUsers` must be false to use `Unmasked`')];
}

function escalation(context: SecurityContext, path: FieldPath): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const cannot = (field: string): FieldError =>
    invalid(
      path,
      inOrder(internalForm('core.v1.SecurityContext', context)),
      `cannot set \`allowPrivilegeEscalation\` to false and ${field}`,
    );
  const admin = (context.capabilities?.add ?? []).filter((name) => name === 'CAP_SYS_ADMIN');
  return [
    ...(context.privileged === true ? [cannot('`privileged` to true')] : []),
    ...admin.map(() => cannot('`capabilities.Add` CAP_SYS_ADMIN')),
  ];
}

/** Upstream's validatePodSpecSecurityContext. Host namespaces are fields of the spec. */
export function validatePodSecurityContext(
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const context = spec.securityContext;
  const shared = spec.shareProcessNamespace === true && spec.hostPID === true;
  return [
    ...(context === undefined ? [] : podIds(context, path)),
    ...(shared
      ? [invalid(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : []),
    ...(context === undefined ? [] : podContext(context, spec, path, options)),
  ];
}

function podIds(context: PodSecurityContext, path: FieldPath): FieldError[] {
  const groups = each(context.supplementalGroups ?? [], path.child('supplementalGroups'), (group, at) =>
    inRange(group, at, 0, MAX_INT32),
  );
  return [...ids(context, path, 'fsGroup', 'runAsUser', 'runAsGroup'), ...groups];
}

function podContext(
  context: PodSecurityContext,
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const selinux = options.allowAnySELinuxChangePolicy ? ['MountOption', 'Recursive'] : ['Recursive'];
  return [
    ...validateSysctls(context.sysctls ?? [], spec, path.child('sysctls'), options),
    ...optionalOneOf(context, 'fsGroupChangePolicy', path, ['Always', 'OnRootMismatch']),
    ...validateSeccompProfile(context.seccompProfile, path.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
    ...optionalOneOf(context, 'supplementalGroupsPolicy', path, ['Merge', 'Strict']),
    ...optionalOneOf(context, 'seLinuxChangePolicy', path, selinux),
  ];
}

const SYSCTL_MAX = 253;
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SEGMENT = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

function validateSysctls(
  sysctls: readonly Sysctl[],
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const seen = new Set<string>();
  return each(sysctls, path, ({ name }, at) => {
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

/** Rejects a sysctl of a namespace that the pod shares with the host. */
export function hostSysctl(name: string, spec: PodSpec, path: FieldPath): FieldError[] {
  const namespace = sysctlNamespace(name);
  if (namespace === 'Net' && spec.hostNetwork === true) {
    return [invalid(path, name, "may not be specified when 'hostNetwork' is true")];
  }
  if (namespace === 'IPC' && spec.hostIPC === true) {
    return [invalid(path, name, "may not be specified when 'hostIPC' is true")];
  }
  return [];
}
