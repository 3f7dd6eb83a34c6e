import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, ensure, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  duplicate,
  invalid,
  notSupported,
  required,
  tooMany,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { isFullyQualifiedDomainName } from '#lib/machinery/validation/formats.ts';
import { isValidIP } from '#lib/machinery/validation/ip.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateEndpointIP } from '../shared/endpoint-ip.ts';
import { ipFamily, ipWarnings, validateLegacyIP } from '../shared/ip.ts';
import { immutable, semanticEqual } from '../shared/semantic.ts';
import { checked, dns1123Label, each, objectName, qualifiedName } from '../shared/validate.ts';

const ENDPOINTS = FieldPath.of('endpoints');
const PORTS = FieldPath.of('ports');
const TYPES = ['FQDN', 'IPv4', 'IPv6'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MAX = { endpoints: 1000, ports: 20_000, addresses: 100, hints: 8 };

/** An empty list of ports is kept as none. */
function setDefaults(slice: JsonObject): void {
  for (const port of items(slice, 'ports')) {
    port['name'] ??= '';
    port['protocol'] ??= 'TCP';
  }
}

/** Topology labels are what the first version had; writes of them are dropped where endpoints change. */
function dropTopology(slice: JsonObject, old?: JsonObject): void {
  if (old !== undefined && semanticEqual(ownField(slice, 'endpoints'), ownField(old, 'endpoints'))) return;
  const known = new Set(items(old, 'endpoints').map(hostnameLabel));
  for (const endpoint of items(slice, 'endpoints')) {
    const node = hostnameLabel(endpoint);
    if (!has(endpoint, 'nodeName') && node !== '' && known.has(node) && objectName(node, ENDPOINTS).length === 0) {
      endpoint['nodeName'] = node;
    }
    delete endpoint['deprecatedTopology'];
  }
}

const hostnameLabel = (endpoint: JsonObject): string =>
  text(objectAt(endpoint, 'deprecatedTopology'), 'kubernetes.io/hostname');

function validate(slice: JsonObject, old?: JsonObject): FieldError[] {
  const type = text(slice, 'addressType');
  const same = old !== undefined && semanticEqual(ownField(slice, 'endpoints'), ownField(old, 'endpoints'));
  const supported = TYPES.includes(type) ? [] : [notSupported('addressType', type, TYPES)];
  return [
    ...(type === '' ? [required('addressType')] : supported),
    ...portErrors(items(slice, 'ports')),
    ...(same ? [] : endpointErrors(items(slice, 'endpoints'), type)),
  ];
}

function portErrors(ports: readonly JsonObject[]): FieldError[] {
  if (ports.length > MAX.ports) return [tooMany(PORTS, ports.length, MAX.ports)];
  const names = new Set<string>();
  return each(ports, PORTS, (port, path) => {
    const [name, protocol] = [text(port, 'name'), text(port, 'protocol')];
    const again = names.has(name) ? [duplicate(path.child('name'), name)] : [];
    names.add(name);
    return [
      ...(name === '' ? [] : dns1123Label(name, path.child('name'))),
      ...again,
      ...(PROTOCOLS.includes(protocol) ? [] : [notSupported(path.child('protocol'), protocol, PROTOCOLS)]),
      ...(has(port, 'appProtocol') ? qualifiedName(text(port, 'appProtocol'), path.child('appProtocol')) : []),
    ];
  });
}

function endpointErrors(endpoints: readonly JsonObject[], type: string): FieldError[] {
  if (endpoints.length > MAX.endpoints) return [tooMany(ENDPOINTS, endpoints.length, MAX.endpoints)];
  return each(endpoints, ENDPOINTS, (endpoint, path) => {
    const addresses = texts(endpoint, 'addresses');
    const where = path.child('addresses');
    const hints = objectAt(endpoint, 'hints');
    return [
      ...(addresses.length === 0 ? [required(where, 'must contain at least 1 address')] : []),
      ...(addresses.length > MAX.addresses ? [tooMany(where, addresses.length, MAX.addresses)] : []),
      ...addresses.flatMap((address, i) => addressErrors(address, type, where, where.index(i))),
      ...(has(endpoint, 'nodeName') ? objectName(text(endpoint, 'nodeName'), path.child('nodeName')) : []),
      ...(has(endpoint, 'hostname') ? dns1123Label(text(endpoint, 'hostname'), path.child('hostname')) : []),
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

function hintErrors(hints: JsonObject, path: FieldPath): FieldError[] {
  const zones = namedHints(hints, 'forZones', path, (name, where) => checked(name, where, isValidLabelValue));
  const tooManyZones = items(hints, 'forZones').length > MAX.hints;
  return tooManyZones ? zones : [...zones, ...namedHints(hints, 'forNodes', path, objectName)];
}

function namedHints(
  hints: JsonObject,
  field: string,
  path: FieldPath,
  check: (name: string, path: FieldPath) => FieldError[],
): FieldError[] {
  const list = items(hints, field);
  const where = path.child(field);
  if (list.length > MAX.hints) return [tooMany(where, list.length, MAX.hints)];
  const names = list.map((hint) => text(hint, 'name'));
  return names.flatMap((name, i) => {
    const nameAt = where.index(i).child('name');
    return [...(names.indexOf(name) < i ? [duplicate(nameAt, name)] : []), ...check(name, nameAt)];
  });
}

const CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

function warnings(slice: JsonObject, old?: JsonObject): string[] {
  const fqdn = old === undefined && text(slice, 'addressType') === 'FQDN';
  const manager = text(at(slice, 'metadata', 'labels'), 'endpointslice.kubernetes.io/managed-by');
  const checkedSlice = CONTROLLERS.includes(manager) ? [] : items(slice, 'endpoints');
  return [
    ...(fqdn ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...checkedSlice.flatMap((endpoint, i) =>
      texts(endpoint, 'addresses').flatMap((address, j) =>
        ipWarnings(address, ENDPOINTS.index(i).child('addresses').index(j)),
      ),
    ),
  ];
}

/** Upstream's pkg/registry/discovery/endpointslice. A change of labels counts as a new generation. */
export const endpointSliceStrategy: KindStrategy = {
  hasGeneration: true,
  default: setDefaults,
  prepareForCreate: (slice) => dropTopology(slice),
  prepareForUpdate(slice, old) {
    const [metadata, before] = [ensure(slice, 'metadata'), objectAt(old, 'metadata')];
    if (!equal(ownField(metadata, 'labels') ?? {}, ownField(before, 'labels') ?? {})) {
      metadata['generation'] = Number(count(before, 'generation')) + 1;
    }
    dropTopology(slice, old);
  },
  validate: (slice) => validate(slice),
  validateUpdate: (slice, old) => [...validate(slice, old), ...immutable(slice, old, 'addressType', FieldPath.of(''))],
  warnings,
};
