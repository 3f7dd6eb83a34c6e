import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { equal, ownField } from '#lib/machinery/json-value.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { isFullyQualifiedDomainName } from '#lib/machinery/validation/formats.ts';
import { isValidIP } from '#lib/machinery/validation/ip.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateEndpointIP } from '../shared/endpoint-ip.ts';
import { ipWarnings, validateLegacyIP } from '../shared/ip.ts';
import { immutable, semanticEqual } from '../shared/semantic.ts';
import { checked, dns1123Label, each, objectName, qualifiedName } from '../shared/validate.ts';

const HOSTNAME = 'kubernetes.io/hostname';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const ENDPOINTS = FieldPath.of('endpoints');
const PORTS = FieldPath.of('ports');
const TYPES = ['FQDN', 'IPv4', 'IPv6'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MAX = { endpoints: 1000, ports: 20_000, addresses: 100, hints: 8 };

/** Treats an empty list of ports as absent. */
function setDefaults(slice: EndpointSlice): void {
  for (const port of slice.ports ?? []) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}

/** Topology labels come from the first API version. They are removed if endpoints change. */
function dropTopology(slice: EndpointSlice, old?: EndpointSlice): void {
  if (old !== undefined && semanticEqual(slice.endpoints, old.endpoints)) return;
  const known = new Set((old?.endpoints ?? []).map(hostnameLabel));
  for (const endpoint of slice.endpoints ?? []) {
    const node = hostnameLabel(endpoint);
    if (endpoint.nodeName === undefined && node !== '' && known.has(node) && objectName(node, ENDPOINTS).length === 0) {
      endpoint.nodeName = node;
    }
    delete endpoint.deprecatedTopology;
  }
}

const hostnameLabel = (endpoint: Endpoint): string => ownField(endpoint.deprecatedTopology, HOSTNAME) ?? '';

function validate(slice: EndpointSlice, old?: EndpointSlice): FieldError[] {
  const type = slice.addressType;
  const same = old !== undefined && semanticEqual(slice.endpoints, old.endpoints);
  const supported = TYPES.includes(type) ? [] : [notSupported('addressType', type, TYPES)];
  return [
    ...(type === '' ? [required('addressType')] : supported),
    ...portErrors(slice.ports ?? []),
    ...(same ? [] : endpointErrors(slice.endpoints ?? [], type)),
  ];
}

function portErrors(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > MAX.ports) return [tooMany(PORTS, ports.length, MAX.ports)];
  const names = new Set<string>();
  return each(ports, PORTS, (port, path) => {
    const [name, protocol] = [port.name ?? '', port.protocol ?? ''];
    const again = names.has(name) ? [duplicate(path.child('name'), name)] : [];
    names.add(name);
    return [
      ...(name === '' ? [] : dns1123Label(name, path.child('name'))),
      ...again,
      ...(PROTOCOLS.includes(protocol) ? [] : [notSupported(path.child('protocol'), protocol, PROTOCOLS)]),
      ...(port.appProtocol !== undefined ? qualifiedName(port.appProtocol, path.child('appProtocol')) : []),
    ];
  });
}

function endpointErrors(endpoints: readonly Endpoint[], type: string): FieldError[] {
  if (endpoints.length > MAX.endpoints) return [tooMany(ENDPOINTS, endpoints.length, MAX.endpoints)];
  return each(endpoints, ENDPOINTS, (endpoint, path) => {
    const addresses = endpoint.addresses ?? [];
    const where = path.child('addresses');
    const hints = endpoint.hints;
    return [
      ...(addresses.length === 0 ? [required(where, 'must contain at least 1 address')] : []),
      ...(addresses.length > MAX.addresses ? [tooMany(where, addresses.length, MAX.addresses)] : []),
      ...addresses.flatMap((address, i) => addressErrors(address, type, where, where.index(i))),
      ...(endpoint.nodeName !== undefined ? objectName(endpoint.nodeName, path.child('nodeName')) : []),
      ...(endpoint.hostname !== undefined ? dns1123Label(endpoint.hostname, path.child('hostname')) : []),
      ...(hints === undefined ? [] : hintErrors(hints, path.child('hints'))),
    ];
  });
}

function addressErrors(address: string, type: string, list: FieldPath, path: FieldPath): FieldError[] {
  if (type === 'FQDN') return isFullyQualifiedDomainName(path, address);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? validateLegacyIP(address, path) : isValidIP(path, address);
  if (errors.length > 0) return errors;
  const family = ipFamily(address) === (type === 'IPv4' ? 4 : 6);
  return [
    ...(family ? [] : [invalid(list, address, `must be an ${type} address`)]),
    ...validateEndpointIP(address, path),
  ];
}

function hintErrors(hints: EndpointHints, path: FieldPath): FieldError[] {
  const zones = namedHints(hints, 'forZones', path, (name, where) => checked(name, where, isValidLabelValue));
  const tooManyZones = (hints.forZones ?? []).length > MAX.hints;
  return tooManyZones ? zones : [...zones, ...namedHints(hints, 'forNodes', path, objectName)];
}

function namedHints(
  hints: EndpointHints,
  field: 'forZones' | 'forNodes',
  path: FieldPath,
  check: (name: string, path: FieldPath) => FieldError[],
): FieldError[] {
  const list = hints[field] ?? [];
  const where = path.child(field);
  if (list.length > MAX.hints) return [tooMany(where, list.length, MAX.hints)];
  const names = list.map((hint) => hint.name);
  return names.flatMap((name, i) => {
    const nameAt = where.index(i).child('name');
    return [...(names.indexOf(name) < i ? [duplicate(nameAt, name)] : []), ...check(name, nameAt)];
  });
}

const CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function warnings(slice: EndpointSlice, old?: EndpointSlice): string[] {
  const fqdn = old === undefined && slice.addressType === 'FQDN';
  const manager = ownField(slice.metadata.labels, MANAGED_BY) ?? '';
  const checkedSlice = CONTROLLERS.includes(manager) ? [] : (slice.endpoints ?? []);
  return [
    ...(fqdn ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...checkedSlice.flatMap((endpoint, i) =>
      (endpoint.addresses ?? []).flatMap((address, j) =>
        ipWarnings(address, ENDPOINTS.index(i).child('addresses').index(j)),
      ),
    ),
  ];
}

/** Upstream's pkg/registry/discovery/endpointslice. Label changes bump the generation. */
export const endpointSliceStrategy: KindStrategy<EndpointSlice> = {
  hasGeneration: true,
  default: setDefaults,
  prepareForCreate: (slice) => dropTopology(slice),
  prepareForUpdate(slice, old) {
    const [metadata, before] = [slice.metadata, old.metadata];
    if (!equal(metadata.labels ?? {}, before.labels ?? {})) {
      metadata.generation = Number(before.generation ?? 0) + 1;
    }
    dropTopology(slice, old);
  },
  validate: (slice) => validate(slice),
  validateUpdate: (slice, old) => [...validate(slice, old), ...immutable(slice, old, 'addressType', FieldPath.of(''))],
  warnings,
};
