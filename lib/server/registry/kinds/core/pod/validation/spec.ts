import type { PodSchedulingGate, PodSpec } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notFound,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { dns1123Label, each, inRange, objectName, oneOf, qualifiedName } from '../../../shared/validate.ts';
import { validateAffinity } from './affinity.ts';
import { validateContainers, validateInitContainers } from './containers.ts';
import { validateDNSConfig } from './dns.ts';
import { validateEphemeralContainers } from './ephemeral-containers.ts';
import { validateHostAliases, validateHostNetworkPorts, validateHostnameOverride, validateHostUsers } from './host.ts';
import type { PodValidationOptions } from './options.ts';
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

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/** Upstream's ValidatePodSpec. `metadata` is the pod's, and undefined for a template. */
export function validatePodSpec(
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { volumes, errors } = validateVolumes(spec.volumes ?? [], metadata?.name ?? '', path.child('volumes'), options);
  const isStatic = metadata !== undefined && isMirrorPod({ metadata });
  const scope = scopeOf(spec, volumes, options);
  return [
    ...(scope.gracePeriod === undefined ? [required(path.child('terminationGracePeriodSeconds'))] : []),
    ...errors,
    ...validateResourceClaims(spec.resourceClaims ?? [], path.child('resourceClaims'), isStatic),
    ...allContainers(spec, path, scope),
    ...validatePodResources(spec, path.child('resources'), scope),
    ...policies(spec, path, options),
    ...scheduling(spec, path, options),
    ...namespaces(spec, path, options),
    ...names(spec, path),
    ...rest(spec, path, scope),
  ];
}

function scopeOf(spec: PodSpec, volumes: PodScope['volumes'], options: PodValidationOptions): PodScope {
  const claims = (spec.resourceClaims ?? []).map(({ name }) => name);
  return {
    volumes,
    claimNames: new Set(claims.filter((name) => name !== '')),
    gracePeriod: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy ?? '',
    os: spec.os?.name,
    hostUsers: spec.hostUsers !== false,
    options,
  };
}

function allContainers(spec: PodSpec, path: FieldPath, scope: PodScope): FieldError[] {
  const containers = spec.containers ?? [];
  const init = spec.initContainers ?? [];
  const ephemeral = spec.ephemeralContainers ?? [];
  return [
    ...validateContainers(containers, path.child('containers'), scope),
    ...validateInitContainers(init, containers, path.child('initContainers'), scope),
    ...validateEphemeralContainers(ephemeral, [...containers, ...init], path.child('ephemeralContainers'), scope),
  ];
}

function policies(spec: PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...validateHostNetworkPorts(spec, path, options),
    ...oneOf(spec.restartPolicy ?? '', path.child('restartPolicy'), RESTART_POLICIES),
    ...oneOf(spec.dnsPolicy ?? '', path.child('dnsPolicy'), DNS_POLICIES),
    ...validateLabels(spec.nodeSelector, path.child('nodeSelector')),
    ...validatePodSecurityContext(spec, path.child('securityContext'), options),
  ];
}

function scheduling(spec: PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...validateAffinity(spec.affinity, path.child('affinity'), options),
    ...validateDNSConfig(spec, path.child('dnsConfig')),
    ...each(spec.readinessGates ?? [], path.child('readinessGates'), ({ conditionType }, where) =>
      qualifiedName(conditionType, where.child('conditionType')),
    ),
    ...schedulingGates(spec.schedulingGates ?? [], path.child('schedulingGates')),
    ...validateTopologySpread(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints'), options),
  ];
}

function schedulingGates(gates: readonly PodSchedulingGate[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return each(gates, path, ({ name }, where) => {
    const again = seen.has(name) ? [duplicate(where, name)] : [];
    seen.add(name);
    return [...qualifiedName(name, where), ...again];
  });
}

function namespaces(spec: PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  return [
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path, options),
    ...validateHostnameOverride(spec, path),
  ];
}

type NameField = 'serviceAccountName' | 'nodeName' | 'hostname' | 'subdomain';

function names(spec: PodSpec, path: FieldPath): FieldError[] {
  const unlessEmpty = (field: NameField, check: typeof objectName): FieldError[] => {
    const name = spec[field] ?? '';
    return name === '' ? [] : check(name, path.child(field));
  };
  return [
    ...unlessEmpty('serviceAccountName', objectName),
    ...unlessEmpty('nodeName', objectName),
    ...inRange(spec.activeDeadlineSeconds, path.child('activeDeadlineSeconds'), 1, MAX_INT32),
    ...unlessEmpty('hostname', dns1123Label),
    ...unlessEmpty('subdomain', dns1123Label),
  ];
}

function rest(spec: PodSpec, path: FieldPath, scope: PodScope): FieldError[] {
  const { priorityClassName = '', runtimeClassName, preemptionPolicy, overhead } = spec;
  return [
    ...validateTolerations(spec.tolerations ?? [], path.child('tolerations'), scope.options),
    ...validateHostAliases(spec.hostAliases ?? [], path.child('hostAliases')),
    ...(priorityClassName === '' ? [] : objectName(priorityClassName, path.child('priorityClassName'))),
    ...(runtimeClassName === undefined ? [] : objectName(runtimeClassName, path.child('runtimeClassName'))),
    ...(preemptionPolicy === undefined
      ? []
      : oneOf(preemptionPolicy, path.child('preemptionPolicy'), PREEMPTION_POLICIES)),
    ...(overhead === undefined ? [] : validateOverhead(overhead, path.child('overhead'), scope)),
    ...operatingSystem(spec, path),
    ...schedulingGroup(spec, path.child('schedulingGroup', 'podGroupName')),
    ...fileKeyVolumes(spec, path),
  ];
}

function validateOverhead(overhead: Record<string, string>, path: FieldPath, { options }: PodScope): FieldError[] {
  return validateContainerResources({ limits: overhead }, path, { claimNames: new Set(), options });
}

function operatingSystem(spec: PodSpec, path: FieldPath): FieldError[] {
  const { os } = spec;
  if (os === undefined) return [];
  switch (os.name) {
    case '':
      return [required(path.child('os', 'name'))];
    case 'linux':
      return validateLinuxPod(spec, path);
    case 'windows':
      return validateWindowsPod(spec, path);
    default:
      return [notSupported(path.child('os'), os.name, ['linux', 'windows'])];
  }
}

function schedulingGroup({ schedulingGroup: group }: PodSpec, path: FieldPath): FieldError[] {
  if (group === undefined) return [];
  if (group.podGroupName !== undefined) return objectName(group.podGroupName, path);
  return [invalid(path, null, 'must specify one of: `podGroupName`')];
}

/** Variables from files may use only empty-directory volumes. */
function fileKeyVolumes(spec: PodSpec, path: FieldPath): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  return visitContainers(spec, path, ({ env = [] }, where) =>
    each(env, where.child('env'), ({ valueFrom }, one) => {
      const ref = valueFrom?.fileKeyRef;
      if (ref === undefined) return [];
      const name = ref.volumeName;
      const volumePath = one.child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = volumes.get(name);
      if (volume === undefined) return [notFound(volumePath, name)];
      return volume.emptyDir !== undefined
        ? []
        : [invalid(volumePath, name, 'referenced volume must be of type emptyDir')];
    }),
  );
}
