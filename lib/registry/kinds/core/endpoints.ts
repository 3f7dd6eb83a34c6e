import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, has, items, text, unlessText } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, notSupported, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { isValidPortNum } from '#lib/machinery/validation/formats.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateEndpointIP } from '../shared/endpoint-ip.ts';
import { ipWarnings, validateLegacyIP } from '../shared/ip.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { dns1123Label, each, objectName, qualifiedName } from '../shared/validate.ts';

const SUBSETS = FieldPath.of('subsets');
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';

function subsetErrors(endpoints: JsonObject): FieldError[] {
  return each(items(endpoints, 'subsets'), SUBSETS, (subset, path) => {
    const addresses = items(subset, 'addresses');
    const notReady = items(subset, 'notReadyAddresses');
    const ports = items(subset, 'ports');
    const none = addresses.length + notReady.length === 0;
    return [
      ...(none ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...each(addresses, path.child('addresses'), addressErrors),
      ...each(notReady, path.child('notReadyAddresses'), addressErrors),
      ...each(ports, path.child('ports'), (port, where) => portErrors(port, where, ports.length > 1)),
    ];
  });
}

function addressErrors(address: JsonObject, path: FieldPath): FieldError[] {
  const ip = text(address, 'ip');
  const hostname = text(address, 'hostname');
  return [
    ...validateLegacyIP(ip, path.child('ip')),
    ...(hostname === '' ? [] : dns1123Label(hostname, path.child('hostname'))),
    ...(has(address, 'nodeName') ? objectName(text(address, 'nodeName'), path.child('nodeName')) : []),
    ...validateEndpointIP(ip, path.child('ip')),
  ];
}

function portErrors(port: JsonObject, path: FieldPath, named: boolean): FieldError[] {
  const name = text(port, 'name');
  const number = count(port, 'port');
  const protocol = text(port, 'protocol');
  return [
    ...(named && name === '' ? [required(path.child('name'))] : []),
    ...(name === '' ? [] : dns1123Label(name, path.child('name'))),
    ...isValidPortNum(number).map((message) => invalid(path.child('port'), number, message)),
    ...protocolErrors(protocol, path.child('protocol')),
    ...(has(port, 'appProtocol') ? qualifiedName(text(port, 'appProtocol'), path.child('appProtocol')) : []),
  ];
}

export function protocolErrors(protocol: string, path: FieldPath): FieldError[] {
  if (protocol === '') return [required(path)];
  return PROTOCOLS.includes(protocol) ? [] : [notSupported(path, protocol, PROTOCOLS)];
}

function warnings(endpoints: JsonObject): string[] {
  if (text(at(endpoints, 'metadata', 'labels'), MANAGED_BY) === 'endpoint-controller') return [];
  return items(endpoints, 'subsets').flatMap((subset, i) =>
    ['addresses', 'notReadyAddresses'].flatMap((list) =>
      items(subset, list).flatMap((address, j) =>
        ipWarnings(text(address, 'ip'), SUBSETS.index(i).child(list).index(j).child('ip')),
      ),
    ),
  );
}

/** Upstream sorts and packs the subsets only in its controllers; what clients write stays as it is. */
function setDefaults(endpoints: JsonObject): void {
  for (const subset of items(endpoints, 'subsets')) {
    for (const port of items(subset, 'ports')) unlessText(port, 'protocol', 'TCP');
  }
}

/** Upstream's pkg/registry/core/endpoint. */
export const endpointsStrategy: KindStrategy = {
  allowCreateOnUpdate: true,
  hasGeneration: false,
  default: setDefaults,
  validate: subsetErrors,
  // Subsets that older servers accepted may stay.
  validateUpdate: (endpoints, old) =>
    semanticEqual(ownField(endpoints, 'subsets'), ownField(old, 'subsets')) ? [] : subsetErrors(endpoints),
  warnings,
};
