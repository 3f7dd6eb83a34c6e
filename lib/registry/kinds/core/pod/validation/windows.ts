import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, flag, has, text } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { checked } from '../../../shared/validate.ts';
import { validateRunAsUserName } from './windows-user-name.ts';
import { containersOf, visitContainers } from './visit.ts';

const MAX_CREDENTIAL_SPEC = 64 * 1024;

export function validateWindowsOptions(options: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (options === undefined) return [];
  const credential = path.child('gmsaCredentialSpecName');
  return [
    ...(has(options, 'gmsaCredentialSpecName')
      ? checked(text(options, 'gmsaCredentialSpecName'), credential, isDNS1123Subdomain)
      : []),
    ...credentialSpec(options, path.child('gmsaCredentialSpec')),
    ...(has(options, 'runAsUserName')
      ? validateRunAsUserName(text(options, 'runAsUserName'), path.child('runAsUserName'))
      : []),
  ];
}

function credentialSpec(options: JsonObject, path: FieldPath): FieldError[] {
  if (!has(options, 'gmsaCredentialSpec')) return [];
  const spec = text(options, 'gmsaCredentialSpec');
  if (spec === '') return [invalid(path, spec, 'gmsaCredentialSpec cannot be an empty string')];
  if (Buffer.byteLength(spec) <= MAX_CREDENTIAL_SPEC) return [];
  return [invalid(path, spec, 'gmsaCredentialSpec size must be under 64 KiB')];
}

/** Pods with HostProcess containers have only such, and the host's network. */
export function validateHostProcess(spec: JsonObject, path: FieldPath): FieldError[] {
  const pod = flag(at(spec, 'securityContext', 'windowsOptions'), 'hostProcess');
  const errors = visitContainers(spec, path, (container, where) => {
    const own = hostProcess(container);
    if (pod === undefined || own === undefined || pod === own) return [];
    const message = `pod hostProcess value must be identical if both are specified, was ${pod}`;
    return [invalid(where.child('securityContext', 'windowsOptions', 'hostProcess'), own, message)];
  });
  const containers = containersOf(spec);
  const hosted = containers.filter((container) => hostProcess(container) ?? pod ?? false);
  if (hosted.length === 0) return errors;
  const hostNetwork = flag(spec, 'hostNetwork') === true;
  const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  const network = 'hostNetwork must be true if pod contains any hostProcess containers';
  return [
    ...errors,
    ...(hosted.length === containers.length ? [] : [invalid(path, '', all)]),
    ...(hostNetwork ? [] : [invalid(path.child('hostNetwork'), hostNetwork, network)]),
  ];
}

function hostProcess(container: JsonObject): boolean | undefined {
  return flag(at(container, 'securityContext', 'windowsOptions'), 'hostProcess');
}

const LINUX = 'windows options cannot be set for a linux pod';

/** What a pod with `os.name: linux` may not have. */
export function validateLinuxPod(spec: JsonObject, path: FieldPath): FieldError[] {
  const where = (of: FieldPath): FieldPath => of.child('securityContext', 'windowsOptions');
  return [
    ...(at(spec, 'securityContext', 'windowsOptions') === undefined ? [] : [forbidden(where(path), LINUX)]),
    ...visitContainers(spec, path, (container, of) =>
      at(container, 'securityContext', 'windowsOptions') === undefined ? [] : [forbidden(where(of), LINUX)],
    ),
  ];
}

const WINDOWS = 'cannot be set for a windows pod';
/** In upstream's order; a dot leads into the security context. */
const POD_FIELDS = [
  '.appArmorProfile',
  '.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  '.seccompProfile',
  '.fsGroup',
  '.fsGroupChangePolicy',
  '.sysctls',
  'shareProcessNamespace',
  '.runAsUser',
  '.runAsGroup',
  '.supplementalGroups',
  '.supplementalGroupsPolicy',
  '.seLinuxChangePolicy',
];
const CONTAINER_FIELDS = [
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

/** What a pod with `os.name: windows` may not have. */
export function validateWindowsPod(spec: JsonObject, path: FieldPath): FieldError[] {
  const pod = POD_FIELDS.flatMap((name) => {
    const inContext = name.startsWith('.');
    const field = inContext ? name.slice(1) : name;
    const holder = inContext ? objectAt(spec, 'securityContext') : spec;
    if (!isSet(holder, field)) return [];
    return [forbidden((inContext ? path.child('securityContext') : path).child(field), WINDOWS)];
  });
  const containers = visitContainers(spec, path, (container, of) => {
    const context = objectAt(container, 'securityContext');
    const set = CONTAINER_FIELDS.filter((field) => has(context, field));
    return set.map((field) => forbidden(of.child('securityContext', field), WINDOWS));
  });
  return [...pod, ...containers];
}

function isSet(holder: JsonObject | undefined, field: string): boolean {
  if (field === 'hostPID' || field === 'hostIPC') return flag(holder, field) === true;
  return field === 'sysctls' ? arrayAt(holder, field).length > 0 : has(holder, field);
}
