import type { Service, ServicePort } from '#lib/api/types/core.v1.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { repeatedAt } from '../../shared/repeats.ts';
import { checked, dns1123Label, each, qualifiedName } from '../../shared/validate.ts';
import { protocolErrors } from '../endpoints.ts';
import { typeOf } from './shape.ts';

const PORTS = FieldPath.of('spec', 'ports');

/** Validates the ports of a service. */
export function validatePorts(service: Service): FieldError[] {
  const ports = service.spec.ports ?? [];
  const names = new Set<string>();
  return each(ports, PORTS, (port, path) => [
    ...nameErrors(port.name ?? '', path.child('name'), ports.length > 1, names),
    ...portNumber(port.port, path.child('port')),
    ...protocolErrors(port.protocol ?? '', path.child('protocol')),
    ...targetErrors(port, path.child('targetPort')),
    ...(port.appProtocol !== undefined ? qualifiedName(port.appProtocol, path.child('appProtocol')) : []),
  ]);
}

function nameErrors(name: string, path: FieldPath, named: boolean, names: Set<string>): FieldError[] {
  if (name === '') return named ? [required(path)] : [];
  const again = names.has(name) ? [duplicate(path, name)] : [];
  names.add(name);
  return [...dns1123Label(name, path), ...again];
}

function portNumber(number: number | bigint, path: FieldPath): FieldError[] {
  return isValidPortNum(number).map((message) => invalid(path, number, message));
}

function targetErrors(port: ServicePort, path: FieldPath): FieldError[] {
  const { targetPort: target } = port;
  if (typeof target === 'string') return checked(target, path, isValidPortName);
  return portNumber(target, path);
}

/** Node ports need a service type that supports them, and ports of one protocol must be unique. */
export function validatePortPairs(service: Service): FieldError[] {
  const ports = service.spec.ports ?? [];
  const clusterOnly = typeOf(service) === 'ClusterIP';
  return [
    ...each(ports, PORTS, (port, path) =>
      clusterOnly && (port.nodePort ?? 0) !== 0
        ? [forbidden(path.child('nodePort'), "may not be used when `type` is 'ClusterIP'")]
        : [],
    ),
    ...repeatedAt(pairs(ports, 'nodePort')).flatMap((i) => {
      const number = ports[i]?.nodePort ?? 0;
      return number === 0 ? [] : [duplicate(PORTS.index(i).child('nodePort'), number)];
    }),
    ...repeatedAt(pairs(ports, 'port')).map((i) => duplicate(PORTS.index(i), shown(ports[i]))),
  ];
}

const pairs = (ports: readonly ServicePort[], field: 'port' | 'nodePort'): string[] =>
  ports.map((port) => `${port.protocol ?? ''}/${port[field] ?? 0}`);

/** The port in Go's notation with only protocol and number set. */
function shown(port: ServicePort | undefined): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Name', ''],
    ['Protocol', port?.protocol ?? ''],
    ['AppProtocol', null],
    ['Port', port?.port ?? 0],
    ['TargetPort', 0],
    ['NodePort', 0],
  ]);
}
