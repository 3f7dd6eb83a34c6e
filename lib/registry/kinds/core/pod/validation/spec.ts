import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, flag, has, integer, items, text } from '#lib/machinery/unstructured.ts';
import {
  duplicate,
  invalid,
  notFound,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { dns1123Label, each, inRange, objectName, oneOf, qualifiedName } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validateAffinity } from './affinity.ts';
import { MIRROR_POD } from './annotations.ts';
import { validateContainers, validateInitContainers } from './containers.ts';
import { validateDNSConfig } from './dns.ts';
import { validateEphemeralContainers } from './ephemeral-containers.ts';
import { validateHostAliases, validateHostNetworkPorts, validateHostUsers, validateHostnameOverride } from './host.ts';
import { validatePodResources } from './pod-resources.ts';
import { validateResourceClaims } from './resource-claims.ts';
import { validateContainerResources } from './resources.ts';
import type { PodScope } from './scope.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateTolerations } from './tolerations.ts';
import { validateTopologySpread } from './topology-spread.ts';
import { visitContainers } from './visit.ts';
import { validateVolumes } from './volumes.ts';
import { validateHostProcess, validateLinuxPod, validateWindowsPod } from './windows.ts';

const MAX_INT32 = 2 ** 31 - 1;
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/** Upstream's ValidatePodSpec. `metadata` is the pod's; undefined where the spec is a template's. */
export function validatePodSpec(
  spec: JsonObject,
  metadata: JsonObject | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { volumes, errors } = validateVolumes(
    items(spec, 'volumes'),
    text(metadata, 'name'),
    path.child('volumes'),
    options,
  );
  const isStatic = has(objectAt(metadata, 'annotations'), MIRROR_POD);
  const scope = scopeOf(spec, volumes, options);
  return [
    ...(scope.gracePeriod === undefined ? [required(path.child('terminationGracePeriodSeconds'))] : []),
    ...errors,
    ...validateResourceClaims(items(spec, 'resourceClaims'), path.child('resourceClaims'), isStatic),
    ...allContainers(spec, path, scope),
    ...validatePodResources(spec, path.child('resources'), scope),
    ...policies(spec, path, options),
    ...scheduling(spec, path, options),
    ...namespaces(spec, path, options),
    ...names(spec, path),
    ...rest(spec, path, scope),
  ];
}

function scopeOf(spec: JsonObject, volumes: PodScope['volumes'], options: PodValidationOptions): PodScope {
  const claims = items(spec, 'resourceClaims').map((claim) => text(claim, 'name'));
  return {
    volumes,
    claimNames: new Set(claims.filter((name) => name !== '')),
    gracePeriod: integer(spec, 'terminationGracePeriodSeconds'),
    restartPolicy: text(spec, 'restartPolicy'),
    os: has(spec, 'os') ? text(objectAt(spec, 'os'), 'name') : undefined,
    hostUsers: flag(spec, 'hostUsers') !== false,
    options,
  };
}

function allContainers(spec: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const containers = items(spec, 'containers');
  const init = items(spec, 'initContainers');
  const ephemeral = items(spec, 'ephemeralContainers');
  return [
    ...validateContainers(containers, path.child('containers'), scope),
    ...validateInitContainers(init, containers, path.child('initContainers'), scope),
    ...validateEphemeralContainers(ephemeral, [...containers, ...init], path.child('ephemeralContainers'), scope),
  ];
}

function policies(spec: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...validateHostNetworkPorts(spec, path, options),
    ...oneOf(text(spec, 'restartPolicy'), path.child('restartPolicy'), RESTART_POLICIES),
    ...oneOf(text(spec, 'dnsPolicy'), path.child('dnsPolicy'), DNS_POLICIES),
    ...validateLabels(objectAt(spec, 'nodeSelector'), path.child('nodeSelector')),
    ...validatePodSecurityContext(spec, path.child('securityContext'), options),
  ];
}

function scheduling(spec: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...validateAffinity(objectAt(spec, 'affinity'), path.child('affinity'), options),
    ...validateDNSConfig(spec, path.child('dnsConfig')),
    ...each(items(spec, 'readinessGates'), path.child('readinessGates'), (gate, where) =>
      qualifiedName(text(gate, 'conditionType'), where.child('conditionType')),
    ),
    ...schedulingGates(items(spec, 'schedulingGates'), path.child('schedulingGates')),
    ...validateTopologySpread(
      items(spec, 'topologySpreadConstraints'),
      path.child('topologySpreadConstraints'),
      options,
    ),
  ];
}

function schedulingGates(gates: readonly JsonObject[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return each(gates, path, (gate, where) => {
    const name = text(gate, 'name');
    const again = seen.has(name) ? [duplicate(where, name)] : [];
    seen.add(name);
    return [...qualifiedName(name, where), ...again];
  });
}

function namespaces(spec: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path, options),
    ...validateHostnameOverride(spec, path),
  ];
}

function names(spec: JsonObject, path: FieldPath): FieldError[] {
  const unlessEmpty = (field: string, check: typeof objectName): FieldError[] => {
    const name = text(spec, field);
    return name === '' ? [] : check(name, path.child(field));
  };
  return [
    ...unlessEmpty('serviceAccountName', objectName),
    ...unlessEmpty('nodeName', objectName),
    ...inRange(integer(spec, 'activeDeadlineSeconds'), path.child('activeDeadlineSeconds'), 1, MAX_INT32),
    ...unlessEmpty('hostname', dns1123Label),
    ...unlessEmpty('subdomain', dns1123Label),
  ];
}

function rest(spec: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const priorityClass = text(spec, 'priorityClassName');
  const overhead = objectAt(spec, 'overhead');
  return [
    ...validateTolerations(items(spec, 'tolerations'), path.child('tolerations'), scope.options),
    ...validateHostAliases(items(spec, 'hostAliases'), path.child('hostAliases')),
    ...(priorityClass === '' ? [] : objectName(priorityClass, path.child('priorityClassName'))),
    ...(has(spec, 'runtimeClassName')
      ? objectName(text(spec, 'runtimeClassName'), path.child('runtimeClassName'))
      : []),
    ...(has(spec, 'preemptionPolicy')
      ? oneOf(text(spec, 'preemptionPolicy'), path.child('preemptionPolicy'), PREEMPTION_POLICIES)
      : []),
    ...(overhead === undefined ? [] : validateOverhead(overhead, path.child('overhead'), scope)),
    ...operatingSystem(spec, path),
    ...schedulingGroup(spec, path.child('schedulingGroup', 'podGroupName')),
    ...fileKeyVolumes(spec, path),
  ];
}

function validateOverhead(overhead: JsonObject, path: FieldPath, { options }: PodScope): FieldError[] {
  return validateContainerResources({ limits: overhead }, path, { claimNames: new Set(), options });
}

function operatingSystem(spec: JsonObject, path: FieldPath): FieldError[] {
  const os = objectAt(spec, 'os');
  if (os === undefined) return [];
  switch (text(os, 'name')) {
    case '':
      return [required(path.child('os', 'name'))];
    case 'linux':
      return validateLinuxPod(spec, path);
    case 'windows':
      return validateWindowsPod(spec, path);
    default:
      return [notSupported(path.child('os'), text(os, 'name'), ['linux', 'windows'])];
  }
}

function schedulingGroup(spec: JsonObject, path: FieldPath): FieldError[] {
  const group = objectAt(spec, 'schedulingGroup');
  if (group === undefined) return [];
  const name = ownField(group, 'podGroupName');
  if (typeof name === 'string') return objectName(name, path);
  return [invalid(path, null, 'must specify one of: `podGroupName`')];
}

/** Variables from files are read from empty directories only. */
function fileKeyVolumes(spec: JsonObject, path: FieldPath): FieldError[] {
  const volumes = new Map(items(spec, 'volumes').map((volume) => [text(volume, 'name'), volume]));
  return visitContainers(spec, path, (container, where) =>
    each(items(container, 'env'), where.child('env'), (variable, one) => {
      const ref = at(variable, 'valueFrom', 'fileKeyRef');
      if (ref === undefined) return [];
      const name = text(ref, 'volumeName');
      const volumePath = one.child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = volumes.get(name);
      if (volume === undefined) return [notFound(volumePath, name)];
      return has(volume, 'emptyDir') ? [] : [invalid(volumePath, name, 'referenced volume must be of type emptyDir')];
    }),
  );
}
