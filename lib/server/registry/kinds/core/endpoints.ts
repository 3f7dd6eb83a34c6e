import type { EndpointAddress, EndpointPort, Endpoints } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { isValidPortNum } from '#lib/machinery/validation/formats.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateEndpointIP } from '../shared/endpoint-ip.ts';
import { ipWarnings, validateLegacyIP } from '../shared/ip.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { dns1123Label, each, objectName, qualifiedName } from '../shared/validate.ts';

const SUBSETS = FieldPath.of('subsets');
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';

function subsetErrors(endpoints: Endpoints): FieldError[] {
  return each(endpoints.subsets ?? [], SUBSETS, (subset, path) => {
    const addresses = subset.addresses ?? [];
    const notReady = subset.notReadyAddresses ?? [];
    const ports = subset.ports ?? [];
    const none = addresses.length + notReady.length === 0;
    return [
      ...(none ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...each(addresses, path.child('addresses'), addressErrors),
      ...each(notReady, path.child('notReadyAddresses'), addressErrors),
      ...each(ports, path.child('ports'), (port, where) => portErrors(port, where, ports.length > 1)),
    ];
  });
}

function addressErrors(address: EndpointAddress, path: FieldPath): FieldError[] {
  const ip = address.ip;
  const hostname = address.hostname ?? '';
  return [
    ...validateLegacyIP(ip, path.child('ip')),
    ...(hostname === '' ? [] : dns1123Label(hostname, path.child('hostname'))),
    ...(address.nodeName !== undefined ? objectName(address.nodeName, path.child('nodeName')) : []),
    ...validateEndpointIP(ip, path.child('ip')),
  ];
}

function portErrors(port: EndpointPort, path: FieldPath, named: boolean): FieldError[] {
  const name = port.name ?? '';
  const number = port.port;
  const protocol = port.protocol ?? '';
  return [
    ...(named && name === '' ? [required(path.child('name'))] : []),
    ...(name === '' ? [] : dns1123Label(name, path.child('name'))),
    ...isValidPortNum(number).map((message) => invalid(path.child('port'), number, message)),
    ...protocolErrors(protocol, path.child('protocol')),
    ...(port.appProtocol !== undefined ? qualifiedName(port.appProtocol, path.child('appProtocol')) : []),
  ];
}

/** Returns an error if the protocol is empty or unknown. */
export function protocolErrors(protocol: string, path: FieldPath): FieldError[] {
  if (protocol === '') return [required(path)];
  return PROTOCOLS.includes(protocol) ? [] : [notSupported(path, protocol, PROTOCOLS)];
}

function warnings(endpoints: Endpoints): string[] {
  if (ownField(endpoints.metadata.labels, MANAGED_BY) === 'endpoint-controller') return [];
  return (endpoints.subsets ?? []).flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap((address, j) =>
        ipWarnings(address.ip, SUBSETS.index(i).child(list).index(j).child('ip')),
      ),
    ),
  );
}

/** Leaves subsets unchanged: upstream sorts and packs them only in its controllers. */
function setDefaults(endpoints: Endpoints): void {
  for (const subset of endpoints.subsets ?? []) {
    for (const port of subset.ports ?? []) port.protocol ||= 'TCP';
  }
}

/** Upstream's pkg/registry/core/endpoint. */
export const endpointsStrategy: KindStrategy<Endpoints> = {
  allowCreateOnUpdate: true,
  hasGeneration: false,
  default: setDefaults,
  validate: subsetErrors,
  // Subsets that older servers accepted remain valid if they do not change.
  validateUpdate: (endpoints, old) => (semanticEqual(endpoints.subsets, old.subsets) ? [] : subsetErrors(endpoints)),
  warnings,
};
