import type {
  PodSecurityContext,
  PodSpec,
  SecurityContext,
  WindowsSecurityContextOptions,
} from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { checked } from '../../../shared/validate.ts';
import { type AnyContainer, containersOf, visitContainers } from './visit.ts';
import { validateRunAsUserName } from './windows-user-name.ts';

const MAX_CREDENTIAL_SPEC = 64 * 1024;

/** Upstream's validateWindowsSecurityContextOptions. */
export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: FieldPath,
): FieldError[] {
  const { gmsaCredentialSpecName: name, runAsUserName } = options ?? {};
  const credential = path.child('gmsaCredentialSpecName');
  return [
    ...(name === undefined ? [] : checked(name, credential, isDNS1123Subdomain)),
    ...credentialSpec(options?.gmsaCredentialSpec, path.child('gmsaCredentialSpec')),
    ...(runAsUserName === undefined ? [] : validateRunAsUserName(runAsUserName, path.child('runAsUserName'))),
  ];
}

function credentialSpec(spec: string | undefined, path: FieldPath): FieldError[] {
  if (spec === undefined) return [];
  if (spec === '') return [invalid(path, spec, 'gmsaCredentialSpec cannot be an empty string')];
  if (Buffer.byteLength(spec) <= MAX_CREDENTIAL_SPEC) return [];
  return [invalid(path, spec, 'gmsaCredentialSpec size must be under 64 KiB')];
}

/** Upstream's validateWindowsHostProcessPod: if one container is HostProcess, all must be, and the pod must use the host network. */
export function validateHostProcess(spec: PodSpec, path: FieldPath): FieldError[] {
  const pod = spec.securityContext?.windowsOptions?.hostProcess;
  const errors = visitContainers(spec, path, (container, where) => {
    const own = hostProcess(container);
    if (pod === undefined || own === undefined || pod === own) return [];
    const message = `pod hostProcess value must be identical if both are specified, was ${pod}`;
    return [invalid(where.child('securityContext', 'windowsOptions', 'hostProcess'), own, message)];
  });
  const containers = containersOf(spec);
  const hosted = containers.filter((container) => hostProcess(container) ?? pod ?? false);
  if (hosted.length === 0) return errors;
  const hostNetwork = spec.hostNetwork === true;
  const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  const network = 'hostNetwork must be true if pod contains any hostProcess containers';
  return [
    ...errors,
    ...(hosted.length === containers.length ? [] : [invalid(path, '', all)]),
    ...(hostNetwork ? [] : [invalid(path.child('hostNetwork'), hostNetwork, network)]),
  ];
}

function hostProcess(container: AnyContainer): boolean | undefined {
  return container.securityContext?.windowsOptions?.hostProcess;
}

const LINUX = 'windows options cannot be set for a linux pod';

/** Rejects fields that a pod with `os.name: linux` may not set. */
export function validateLinuxPod(spec: PodSpec, path: FieldPath): FieldError[] {
  const where = (of: FieldPath): FieldPath => of.child('securityContext', 'windowsOptions');
  return [
    ...(spec.securityContext?.windowsOptions === undefined ? [] : [forbidden(where(path), LINUX)]),
    ...visitContainers(spec, path, (container, of) =>
      container.securityContext?.windowsOptions === undefined ? [] : [forbidden(where(of), LINUX)],
    ),
  ];
}

const WINDOWS = 'cannot be set for a windows pod';
/** Pod fields that are not supported on Windows, in upstream's order. */
const POD_FIELDS = [
  inContext('appArmorProfile'),
  inContext('seLinuxOptions'),
  inSpec('hostUsers', ({ hostUsers }) => hostUsers !== undefined),
  inSpec('hostPID', ({ hostPID }) => hostPID === true),
  inSpec('hostIPC', ({ hostIPC }) => hostIPC === true),
  inContext('seccompProfile'),
  inContext('fsGroup'),
  inContext('fsGroupChangePolicy'),
  inContext('sysctls'),
  inSpec('shareProcessNamespace', ({ shareProcessNamespace }) => shareProcessNamespace !== undefined),
  inContext('runAsUser'),
  inContext('runAsGroup'),
  inContext('supplementalGroups'),
  inContext('supplementalGroupsPolicy'),
  inContext('seLinuxChangePolicy'),
];
/** Security context fields that are not supported on Windows, in upstream's order. */
const CONTAINER_FIELDS: readonly (keyof SecurityContext & string)[] = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** Rejects fields that a pod with `os.name: windows` may not set. */
export function validateWindowsPod(spec: PodSpec, path: FieldPath): FieldError[] {
  const pod = POD_FIELDS.flatMap(({ names, isSet }) => (isSet(spec) ? [forbidden(path.child(...names), WINDOWS)] : []));
  const containers = visitContainers(spec, path, ({ securityContext }, of) => {
    const set = CONTAINER_FIELDS.filter((field) => securityContext?.[field] !== undefined);
    return set.map((field) => forbidden(of.child('securityContext', field), WINDOWS));
  });
  return [...pod, ...containers];
}

/** A field of the pod, as the names in its path. */
interface PodField {
  readonly names: readonly string[];
  readonly isSet: (spec: PodSpec) => boolean;
}

function inSpec(field: keyof PodSpec & string, isSet: (spec: PodSpec) => boolean): PodField {
  return { names: [field], isSet };
}

function inContext(field: keyof PodSecurityContext & string): PodField {
  const isSet = ({ securityContext }: PodSpec): boolean => {
    const value = securityContext?.[field];
    return field === 'sysctls' && Array.isArray(value) ? value.length > 0 : value !== undefined;
  };
  return { names: ['securityContext', field], isSet };
}
