import type { JsonObject } from '#lib/machinery/json-value.ts';
import { count, has, items, text } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  duplicate,
  forbidden,
  invalid,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { repeatedAt } from '../../shared/repeats.ts';
import { checked, dns1123Label, each, qualifiedName } from '../../shared/validate.ts';
import { protocolErrors } from '../endpoints.ts';
import { specOf, typeOf } from './shape.ts';

const PORTS = FieldPath.of('spec', 'ports');

export function validatePorts(service: JsonObject): FieldError[] {
  const ports = items(specOf(service), 'ports');
  const names = new Set<string>();
  return each(ports, PORTS, (port, path) => [
    ...nameErrors(text(port, 'name'), path.child('name'), ports.length > 1, names),
    ...portNumber(count(port, 'port'), path.child('port')),
    ...protocolErrors(text(port, 'protocol'), path.child('protocol')),
    ...targetErrors(port, path.child('targetPort')),
    ...(has(port, 'appProtocol') ? qualifiedName(text(port, 'appProtocol'), path.child('appProtocol')) : []),
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

function targetErrors(port: JsonObject, path: FieldPath): FieldError[] {
  const target = port['targetPort'];
  if (typeof target === 'string') return checked(target, path, isValidPortName);
  return portNumber(count(port, 'targetPort'), path);
}

/** Node ports are of a type that has them, and no two ports of a protocol are equal. */
export function validatePortPairs(service: JsonObject): FieldError[] {
  const ports = items(specOf(service), 'ports');
  const clusterOnly = typeOf(service) === 'ClusterIP';
  return [
    ...each(ports, PORTS, (port, path) =>
      clusterOnly && count(port, 'nodePort') !== 0
        ? [forbidden(path.child('nodePort'), "may not be used when `type` is 'ClusterIP'")]
        : [],
    ),
    ...repeatedAt(pairs(ports, 'nodePort')).flatMap((i) => {
      const number = count(ports[i], 'nodePort');
      return number === 0 ? [] : [duplicate(PORTS.index(i).child('nodePort'), number)];
    }),
    ...repeatedAt(pairs(ports, 'port')).map((i) => duplicate(PORTS.index(i), shown(ports[i] as JsonObject))),
  ];
}

const pairs = (ports: readonly JsonObject[], field: string): string[] =>
  ports.map((port) => `${text(port, 'protocol')}/${count(port, field)}`);

/** As Go shows a port of which only protocol and number are set. */
function shown(port: JsonObject): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Name', ''],
    ['Protocol', text(port, 'protocol')],
    ['AppProtocol', null],
    ['Port', count(port, 'port')],
    ['TargetPort', 0],
    ['NodePort', 0],
  ]);
}
