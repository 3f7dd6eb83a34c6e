import type { Service, ServiceSpec, SessionAffinityConfig } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { isValidCIDRForLegacyField } from '#lib/machinery/validation/ip.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { validateEndpointIP } from '../../shared/endpoint-ip.ts';
import { validateLegacyIP } from '../../shared/ip.ts';
import { checked, each, oneOf, optionalOneOf, qualifiedName } from '../../shared/validate.ts';
import { validateClusterIPs, validateClusterIPsUpdate } from './cluster-ips.ts';
import { validatePortPairs, validatePorts } from './ports.ts';
import { externallyAccessible, isHeadless, needsHealthCheck, typeOf } from './shape.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const HINTS = 'service.kubernetes.io/topology-aware-hints';
const MODE = 'service.kubernetes.io/topology-mode';
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const LOAD_BALANCERS_ONLY = "may only be used when `type` is 'LoadBalancer'";

/** Upstream's validateService. A missing health check port is valid, because the allocator sets it. */
export function validateService(service: Service, old?: Service): FieldError[] {
  const spec = service.spec;
  return [
    ...topology(service),
    ...byType(service),
    ...validatePorts(service),
    ...validateLabels(spec.selector, SPEC.child('selector')),
    ...affinity(spec),
    ...validateClusterIPs(service, old),
    ...externalIPs(spec, old),
    ...oneOf(spec.type ?? '', SPEC.child('type'), TYPES),
    ...validatePortPairs(service),
    ...sourceRanges(service, old),
    ...loadBalancerOnly(service),
    ...externalTraffic(service),
    ...internalTraffic(service),
    ...optionalOneOf(spec, 'trafficDistribution', SPEC, ['PreferClose', 'PreferSameZone', 'PreferSameNode']),
  ];
}

function topology(service: Service): FieldError[] {
  const { annotations } = service.metadata;
  const [mode, hints] = [ownField(annotations, MODE), ownField(annotations, HINTS)];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  return [invalid(ANNOTATIONS.key(MODE), mode, `must match annotations[${HINTS}] when both are specified`)];
}

function byType(service: Service): FieldError[] {
  const spec = service.spec;
  const type = typeOf(service);
  const headless = isHeadless(service);
  const noPorts = (spec.ports ?? []).length === 0 && !headless && type !== 'ExternalName';
  const errors = noPorts ? [required(SPEC.child('ports'))] : [];
  if (type === 'ExternalName') return [...errors, ...externalName(spec)];
  if (!headless || (type !== 'LoadBalancer' && type !== 'NodePort')) return errors;
  return [
    ...errors,
    invalid(SPEC.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`),
  ];
}

/** An ExternalName service has no cluster IP. */
function externalName(spec: ServiceSpec): FieldError[] {
  const path = SPEC.child('externalName');
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  const unset = (field: string, set: boolean): FieldError[] =>
    set ? [forbidden(SPEC.child(field), 'may not be set for ExternalName services')] : [];
  return [
    ...unset('clusterIPs', (spec.clusterIPs ?? []).length > 0),
    ...unset('ipFamilies', (spec.ipFamilies ?? []).length > 0),
    ...unset('ipFamilyPolicy', spec.ipFamilyPolicy !== undefined),
    ...(name === '' ? [required(path)] : checked(name, path, isDNS1123Subdomain)),
  ];
}

const MAX_AFFINITY_SECONDS = 86_400;

function affinity(spec: ServiceSpec): FieldError[] {
  const kind = spec.sessionAffinity ?? '';
  const path = SPEC.child('sessionAffinityConfig');
  const errors = oneOf(kind, SPEC.child('sessionAffinity'), ['ClientIP', 'None']);
  if (kind === 'None' && spec.sessionAffinityConfig !== undefined) {
    return [...errors, forbidden(path, 'must not be set when session affinity is None')];
  }
  return kind === 'ClientIP' ? [...errors, ...clientIP(spec.sessionAffinityConfig, path)] : errors;
}

function clientIP(config: SessionAffinityConfig | undefined, path: FieldPath): FieldError[] {
  const ip = config?.clientIP;
  const when = 'when session affinity type is ClientIP';
  if (config === undefined) return [required(path, when)];
  if (ip === undefined) return [required(path.child('clientIP'), when)];
  const { timeoutSeconds: seconds } = ip;
  if (seconds === undefined) return [required(path.child('clientIP', 'timeoutSeconds'), when)];
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  const message = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
  return [invalid(path.child('clientIP', 'timeoutSeconds'), seconds, message)];
}

function externalIPs(spec: ServiceSpec, old: Service | undefined): FieldError[] {
  const stored = old === undefined ? [] : (old.spec.externalIPs ?? []);
  return each(spec.externalIPs ?? [], SPEC.child('externalIPs'), (ip, path) => {
    const errors = validateLegacyIP(ip, path, stored);
    return errors.length > 0 ? errors : validateEndpointIP(ip, path);
  });
}

/** Validates the field, or the annotation that it replaced. Stored values remain valid. */
function sourceRanges(service: Service, old: Service | undefined): FieldError[] {
  const ranges = (service.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
  const balances = typeOf(service) === 'LoadBalancer';
  if (ranges.length === 0) return annotatedRanges(service, old, balances);
  const path = SPEC.child('LoadBalancerSourceRanges');
  const stored = old === undefined ? [] : (old.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
  return [
    ...(balances ? [] : [forbidden(path, LOAD_BALANCERS_ONLY)]),
    ...each(ranges, path, (range, where) =>
      stored.includes(range) ? [] : isValidCIDRForLegacyField(where, range, true),
    ),
  ];
}

function annotatedRanges(service: Service, old: Service | undefined, balances: boolean): FieldError[] {
  const value = ownField(service.metadata.annotations, RANGES);
  if (value === undefined) return [];
  const path = ANNOTATIONS.key(RANGES);
  const stored = ownField(old?.metadata.annotations, RANGES) === value;
  const ranges = stored || value.trim() === '' ? [] : value.trim().split(',');
  return [
    ...(balances ? [] : [forbidden(path, LOAD_BALANCERS_ONLY)]),
    ...ranges.flatMap((range) => isValidCIDRForLegacyField(path, range.trim(), true)),
  ];
}

function loadBalancerOnly(service: Service): FieldError[] {
  const spec = service.spec;
  const balances = typeOf(service) === 'LoadBalancer';
  const allocates = spec.allocateLoadBalancerNodePorts !== undefined;
  const path = SPEC.child('allocateLoadBalancerNodePorts');
  return [
    ...(allocates && !balances ? [forbidden(path, LOAD_BALANCERS_ONLY)] : []),
    ...(balances && !allocates ? [required('allocateLoadBalancerNodePorts')] : []),
    ...balancerClass(spec, balances),
  ];
}

function balancerClass(spec: ServiceSpec, balances: boolean): FieldError[] {
  if (spec.loadBalancerClass === undefined) return [];
  const path = SPEC.child('loadBalancerClass');
  return balances ? qualifiedName(spec.loadBalancerClass, path) : [forbidden(path, LOAD_BALANCERS_ONLY)];
}

function externalTraffic(service: Service): FieldError[] {
  const spec = service.spec;
  const policy = spec.externalTrafficPolicy ?? '';
  const path = SPEC.child('externalTrafficPolicy');
  const closed = policy === '' ? [] : [invalid(path, policy, 'may only be set for externally-accessible services')];
  const errors = externallyAccessible(service) ? oneOf(policy, path, ['Cluster', 'Local']) : closed;
  return [...errors, ...healthCheckPort(service, spec.healthCheckNodePort ?? 0)];
}

function healthCheckPort(service: Service, port: number | bigint): FieldError[] {
  const path = SPEC.child('healthCheckNodePort');
  if (port === 0) return [];
  if (needsHealthCheck(service)) return isValidPortNum(port).map((message) => invalid(path, port, message));
  const when = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [invalid(path, port, when)];
}

function internalTraffic(service: Service): FieldError[] {
  const spec = service.spec;
  const path = SPEC.child('internalTrafficPolicy');
  const { internalTrafficPolicy: policy } = spec;
  if (policy !== undefined) {
    return ['Cluster', 'Local'].includes(policy) ? [] : [notSupported(path, policy, ['Cluster', 'Local'])];
  }
  return ['ClusterIP', 'LoadBalancer', 'NodePort'].includes(typeOf(service)) ? [required(path)] : [];
}

/** Upstream's ValidateServiceUpdate. */
export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  return [
    ...validateClusterIPsUpdate(service, old),
    ...balancerClassKept(service, old),
    ...healthCheckPortKept(service, old),
    ...validateService(service, old),
  ];
}

/** Upstream validates the class here and again with the other fields. Its errors occur twice, but the message contains them once. */
function balancerClassKept(service: Service, old: Service): FieldError[] {
  const [spec, before] = [service.spec, old.spec];
  const balances = typeOf(service) === 'LoadBalancer';
  const value = spec.loadBalancerClass;
  const kept = value === before.loadBalancerClass;
  const changed = balances && typeOf(old) === 'LoadBalancer' && !kept;
  return [
    ...(changed ? [invalid(SPEC.child('loadBalancerClass'), value ?? null, 'may not change once set')] : []),
    ...balancerClass(spec, balances),
  ];
}

function healthCheckPortKept(service: Service, old: Service): FieldError[] {
  if (!needsHealthCheck(service) || !needsHealthCheck(old)) return [];
  const same = (service.spec.healthCheckNodePort ?? 0) === (old.spec.healthCheckNodePort ?? 0);
  return same ? [] : [forbidden(SPEC.child('healthCheckNodePort'), IMMUTABLE)];
}
