import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { each } from '../../../shared/validate.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function validateContainerPorts(ports: readonly JsonObject[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return each(ports, path, (port, at) => [
    ...portName(port, at.child('name'), names),
    ...portNumber(port, 'containerPort', at),
    ...(count(port, 'hostPort') === 0 ? [] : portNumber(port, 'hostPort', at)),
    ...protocol(port, at.child('protocol')),
  ]);
}

function portName(port: JsonObject, path: FieldPath, names: Set<string>): FieldError[] {
  const name = text(port, 'name');
  if (name === '') return [];
  const messages = isValidPortName(name);
  if (messages.length > 0) return messages.map((message) => invalid(path, name, message));
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return [];
}

function portNumber(port: JsonObject, field: string, path: FieldPath): FieldError[] {
  const number = count(port, field);
  if (number === 0) return [required(path.child(field))];
  return isValidPortNum(number).map((message) => invalid(path.child(field), number, message));
}

function protocol(port: JsonObject, path: FieldPath): FieldError[] {
  const value = text(port, 'protocol');
  if (value === '') return [required(path)];
  return PROTOCOLS.includes(value) ? [] : [notSupported(path, value, PROTOCOLS)];
}

/** Two containers of a pod cannot have one port of the host. */
export function hostPortConflicts(containers: readonly JsonObject[], path: FieldPath): FieldError[] {
  const taken = new Set<string>();
  return each(containers, path, (container, at) =>
    each(items(container, 'ports'), at.child('ports'), (port, portPath) => {
      const host = count(port, 'hostPort');
      if (host === 0) return [];
      const key = `${text(port, 'protocol')}/${text(port, 'hostIP')}/${host}`;
      if (taken.has(key)) return [duplicate(portPath.child('hostPort'), key)];
      taken.add(key);
      return [];
    }),
  );
}

/** A port by number or name, as probes have it. */
export function portNumOrName(object: JsonObject, path: FieldPath): FieldError[] {
  const port = ownField(object, 'port');
  if (typeof port === 'string') return isValidPortName(port).map((message) => invalid(path, port, message));
  const number = count(object, 'port');
  return isValidPortNum(number).map((message) => invalid(path, number, message));
}
