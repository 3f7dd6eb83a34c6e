import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
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
import { externallyAccessible, isHeadless, needsHealthCheck, specOf, typeOf } from './shape.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const HINTS = 'service.kubernetes.io/topology-aware-hints';
const MODE = 'service.kubernetes.io/topology-mode';
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const LOAD_BALANCERS_ONLY = "may only be used when `type` is 'LoadBalancer'";

/** Upstream's validateService. Health check ports are the allocator's: a service that lacks one is right. */
export function validateService(service: JsonObject, old?: JsonObject): FieldError[] {
  const spec = specOf(service);
  return [
    ...topology(service),
    ...byType(service),
    ...validatePorts(service),
    ...validateLabels(objectAt(spec, 'selector'), SPEC.child('selector')),
    ...affinity(spec),
    ...validateClusterIPs(service, old),
    ...externalIPs(spec, old),
    ...oneOf(text(spec, 'type'), SPEC.child('type'), TYPES),
    ...validatePortPairs(service),
    ...sourceRanges(service, old),
    ...loadBalancerOnly(service),
    ...externalTraffic(service),
    ...internalTraffic(service),
    ...optionalOneOf(spec, 'trafficDistribution', SPEC, ['PreferClose', 'PreferSameZone', 'PreferSameNode']),
  ];
}

function topology(service: JsonObject): FieldError[] {
  const annotations = at(service, 'metadata', 'annotations');
  if (!has(annotations, MODE) || !has(annotations, HINTS)) return [];
  const mode = text(annotations, MODE);
  if (mode === text(annotations, HINTS)) return [];
  return [invalid(ANNOTATIONS.key(MODE), mode, `must match annotations[${HINTS}] when both are specified`)];
}

function byType(service: JsonObject): FieldError[] {
  const spec = specOf(service);
  const type = typeOf(service);
  const headless = isHeadless(service);
  const noPorts = items(spec, 'ports').length === 0 && !headless && type !== 'ExternalName';
  const errors = noPorts ? [required(SPEC.child('ports'))] : [];
  if (type === 'ExternalName') return [...errors, ...externalName(spec)];
  if (!headless || (type !== 'LoadBalancer' && type !== 'NodePort')) return errors;
  return [
    ...errors,
    invalid(SPEC.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`),
  ];
}

/** An alias of another name has no address of its own. */
function externalName(spec: JsonObject): FieldError[] {
  const path = SPEC.child('externalName');
  const name = text(spec, 'externalName').replace(/\.$/, '');
  const unset = (field: string, set: boolean): FieldError[] =>
    set ? [forbidden(SPEC.child(field), 'may not be set for ExternalName services')] : [];
  return [
    ...unset('clusterIPs', texts(spec, 'clusterIPs').length > 0),
    ...unset('ipFamilies', texts(spec, 'ipFamilies').length > 0),
    ...unset('ipFamilyPolicy', has(spec, 'ipFamilyPolicy')),
    ...(name === '' ? [required(path)] : checked(name, path, isDNS1123Subdomain)),
  ];
}

const MAX_AFFINITY_SECONDS = 86_400;

function affinity(spec: JsonObject): FieldError[] {
  const kind = text(spec, 'sessionAffinity');
  const path = SPEC.child('sessionAffinityConfig');
  const errors = oneOf(kind, SPEC.child('sessionAffinity'), ['ClientIP', 'None']);
  if (kind === 'None' && has(spec, 'sessionAffinityConfig')) {
    return [...errors, forbidden(path, 'must not be set when session affinity is None')];
  }
  return kind === 'ClientIP' ? [...errors, ...clientIP(objectAt(spec, 'sessionAffinityConfig'), path)] : errors;
}

function clientIP(config: JsonObject | undefined, path: FieldPath): FieldError[] {
  const ip = objectAt(config, 'clientIP');
  const when = 'when session affinity type is ClientIP';
  if (config === undefined) return [required(path, when)];
  if (ip === undefined) return [required(path.child('clientIP'), when)];
  if (!has(ip, 'timeoutSeconds')) return [required(path.child('clientIP', 'timeoutSeconds'), when)];
  const seconds = count(ip, 'timeoutSeconds');
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  const text = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
  return [invalid(path.child('clientIP', 'timeoutSeconds'), seconds, text)];
}

function externalIPs(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const stored = old === undefined ? [] : texts(specOf(old), 'externalIPs');
  return each(texts(spec, 'externalIPs'), SPEC.child('externalIPs'), (ip, path) => {
    const errors = validateLegacyIP(ip, path, stored);
    return errors.length > 0 ? errors : validateEndpointIP(ip, path);
  });
}

/** The field, or the annotation that came before it. Values that were accepted once may stay. */
function sourceRanges(service: JsonObject, old: JsonObject | undefined): FieldError[] {
  const ranges = texts(specOf(service), 'loadBalancerSourceRanges').map((range) => range.trim());
  const balances = typeOf(service) === 'LoadBalancer';
  if (ranges.length === 0) return annotatedRanges(service, old, balances);
  const path = SPEC.child('LoadBalancerSourceRanges');
  const stored = old === undefined ? [] : texts(specOf(old), 'loadBalancerSourceRanges').map((range) => range.trim());
  return [
    ...(balances ? [] : [forbidden(path, LOAD_BALANCERS_ONLY)]),
    ...each(ranges, path, (range, where) =>
      stored.includes(range) ? [] : isValidCIDRForLegacyField(where, range, true),
    ),
  ];
}

function annotatedRanges(service: JsonObject, old: JsonObject | undefined, balances: boolean): FieldError[] {
  const annotations = at(service, 'metadata', 'annotations');
  if (!has(annotations, RANGES)) return [];
  const path = ANNOTATIONS.key(RANGES);
  const value = text(annotations, RANGES);
  const before = at(old, 'metadata', 'annotations');
  const stored = has(before, RANGES) && text(before, RANGES) === value;
  const ranges = stored || value.trim() === '' ? [] : value.trim().split(',');
  return [
    ...(balances ? [] : [forbidden(path, LOAD_BALANCERS_ONLY)]),
    ...ranges.flatMap((range) => isValidCIDRForLegacyField(path, range.trim(), true)),
  ];
}

function loadBalancerOnly(service: JsonObject): FieldError[] {
  const spec = specOf(service);
  const balances = typeOf(service) === 'LoadBalancer';
  const allocates = has(spec, 'allocateLoadBalancerNodePorts');
  const path = SPEC.child('allocateLoadBalancerNodePorts');
  return [
    ...(allocates && !balances ? [forbidden(path, LOAD_BALANCERS_ONLY)] : []),
    ...(balances && !allocates ? [required('allocateLoadBalancerNodePorts')] : []),
    ...balancerClass(spec, balances),
  ];
}

function balancerClass(spec: JsonObject, balances: boolean): FieldError[] {
  if (!has(spec, 'loadBalancerClass')) return [];
  const path = SPEC.child('loadBalancerClass');
  return balances ? qualifiedName(text(spec, 'loadBalancerClass'), path) : [forbidden(path, LOAD_BALANCERS_ONLY)];
}

function externalTraffic(service: JsonObject): FieldError[] {
  const spec = specOf(service);
  const policy = text(spec, 'externalTrafficPolicy');
  const path = SPEC.child('externalTrafficPolicy');
  const closed = policy === '' ? [] : [invalid(path, policy, 'may only be set for externally-accessible services')];
  const errors = externallyAccessible(service) ? oneOf(policy, path, ['Cluster', 'Local']) : closed;
  return [...errors, ...healthCheckPort(service, count(spec, 'healthCheckNodePort'))];
}

function healthCheckPort(service: JsonObject, port: number | bigint): FieldError[] {
  const path = SPEC.child('healthCheckNodePort');
  if (port === 0) return [];
  if (needsHealthCheck(service)) return isValidPortNum(port).map((message) => invalid(path, port, message));
  const when = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [invalid(path, port, when)];
}

function internalTraffic(service: JsonObject): FieldError[] {
  const spec = specOf(service);
  const path = SPEC.child('internalTrafficPolicy');
  if (has(spec, 'internalTrafficPolicy')) {
    const policy = text(spec, 'internalTrafficPolicy');
    return ['Cluster', 'Local'].includes(policy) ? [] : [notSupported(path, policy, ['Cluster', 'Local'])];
  }
  return ['ClusterIP', 'LoadBalancer', 'NodePort'].includes(typeOf(service)) ? [required(path)] : [];
}

/** Upstream's ValidateServiceUpdate. */
export function validateServiceUpdate(service: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...validateClusterIPsUpdate(service, old),
    ...balancerClassKept(service, old),
    ...healthCheckPortKept(service, old),
    ...validateService(service, old),
  ];
}

/** Upstream checks the class again with everything else, and so its errors are there twice; they are shown once. */
function balancerClassKept(service: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(service), specOf(old)];
  const balances = typeOf(service) === 'LoadBalancer';
  const value = ownField(spec, 'loadBalancerClass');
  const kept = equal(value, ownField(before, 'loadBalancerClass'));
  const changed = balances && typeOf(old) === 'LoadBalancer' && !kept;
  return [
    ...(changed ? [invalid(SPEC.child('loadBalancerClass'), value ?? null, 'may not change once set')] : []),
    ...balancerClass(spec, balances),
  ];
}

function healthCheckPortKept(service: JsonObject, old: JsonObject): FieldError[] {
  if (!needsHealthCheck(service) || !needsHealthCheck(old)) return [];
  const same = count(specOf(service), 'healthCheckNodePort') === count(specOf(old), 'healthCheckNodePort');
  return same ? [] : [forbidden(SPEC.child('healthCheckNodePort'), IMMUTABLE)];
}
