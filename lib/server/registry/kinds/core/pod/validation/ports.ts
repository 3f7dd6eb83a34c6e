import type { ContainerPort } from '#lib/api/types/core.v1.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { each } from '../../../shared/validate.ts';
import type { AnyContainer } from './visit.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Upstream's validateContainerPorts. */
export function validateContainerPorts(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return each(ports, path, ({ name = '', containerPort, hostPort = 0, protocol = '' }, at) => [
    ...validatePortName(name, at.child('name'), names),
    ...validatePortNumber(containerPort, at.child('containerPort')),
    ...(hostPort === 0 ? [] : validatePortNumber(hostPort, at.child('hostPort'))),
    ...validateProtocol(protocol, at.child('protocol')),
  ]);
}

function validatePortName(name: string, path: FieldPath, names: Set<string>): FieldError[] {
  if (name === '') return [];
  const messages = isValidPortName(name);
  if (messages.length > 0) return messages.map((message) => invalid(path, name, message));
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return [];
}

function validatePortNumber(number: number, path: FieldPath): FieldError[] {
  if (number === 0) return [required(path)];
  return isValidPortNum(number).map((message) => invalid(path, number, message));
}

function validateProtocol(protocol: string, path: FieldPath): FieldError[] {
  if (protocol === '') return [required(path)];
  return PROTOCOLS.includes(protocol) ? [] : [notSupported(path, protocol, PROTOCOLS)];
}

/** Rejects host ports that two of the containers use. */
export function hostPortConflicts(containers: readonly AnyContainer[], path: FieldPath): FieldError[] {
  const taken = new Set<string>();
  return each(containers, path, ({ ports = [] }, at) =>
    each(ports, at.child('ports'), ({ hostPort = 0, hostIP = '', protocol = '' }, portPath) => {
      if (hostPort === 0) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) return [duplicate(portPath.child('hostPort'), key)];
      taken.add(key);
      return [];
    }),
  );
}

/** Validates a port number or name, as in probes. */
export function portNumOrName(port: number | string, path: FieldPath): FieldError[] {
  const messages = typeof port === 'string' ? isValidPortName(port) : isValidPortNum(port);
  return messages.map((message) => invalid(path, port, message));
}
