import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, has, items, text, type Integer } from '#lib/machinery/unstructured.ts';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { isHTTPHeaderName } from '#lib/machinery/validation/formats.ts';
import { checked, requiredText } from '../../../shared/validate.ts';
import { portNumOrName } from './ports.ts';
import { LINUX_SIGNALS, WINDOWS_SIGNALS } from './signals.ts';

type GracePeriod = Integer | undefined;
type Action = (action: JsonObject, path: FieldPath, gracePeriod: GracePeriod) => FieldError[];
export type Handlers = readonly (readonly [string, Action])[];

const port: Action = (action, path) => portNumOrName(action, path.child('port'));

export const PROBE_HANDLERS: Handlers = [
  ['exec', exec],
  ['httpGet', httpGet],
  ['tcpSocket', port],
  ['grpc', port],
];

const LIFECYCLE_HANDLERS: Handlers = [
  ['exec', exec],
  ['httpGet', httpGet],
  ['tcpSocket', port],
  ['sleep', sleep],
];

/** Exactly one of the handlers that this place allows. */
export function validateHandler(
  object: JsonObject,
  handlers: Handlers,
  path: FieldPath,
  gracePeriod: GracePeriod,
): FieldError[] {
  const set = handlers.filter(([field]) => has(object, field));
  if (set.length === 0) return [required(path, 'must specify a handler type')];
  return set.flatMap(([field, validate], i) =>
    i > 0
      ? [forbidden(path.child(field), 'may not specify more than 1 handler type')]
      : validate(objectAt(object, field) ?? {}, path.child(field), gracePeriod),
  );
}

function exec(action: JsonObject, path: FieldPath): FieldError[] {
  return arrayAt(action, 'command').length === 0 ? [required(path.child('command'))] : [];
}

const SCHEMES = ['HTTP', 'HTTPS'];

function httpGet(action: JsonObject, path: FieldPath): FieldError[] {
  const scheme = text(action, 'scheme');
  return [
    ...requiredText(action, 'path', path),
    ...portNumOrName(action, path.child('port')),
    ...(SCHEMES.includes(scheme) ? [] : [notSupported(path.child('scheme'), scheme, SCHEMES)]),
    ...items(action, 'httpHeaders').flatMap((header) =>
      checked(text(header, 'name'), path.child('httpHeaders'), isHTTPHeaderName),
    ),
  ];
}

function sleep(action: JsonObject, path: FieldPath, gracePeriod: GracePeriod): FieldError[] {
  const seconds = count(action, 'seconds');
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const message = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(path, seconds, message)];
}

/** A container's lifecycle handlers and stop signal; `os` is the pod's, empty where it names none. */
export function validateLifecycle(
  lifecycle: JsonObject,
  path: FieldPath,
  { gracePeriod, os }: { gracePeriod: GracePeriod; os: string | undefined },
): FieldError[] {
  const handlers = ['postStart', 'preStop'].flatMap((field) => {
    const handler = objectAt(lifecycle, field);
    return handler === undefined ? [] : validateHandler(handler, LIFECYCLE_HANDLERS, path.child(field), gracePeriod);
  });
  if (!has(lifecycle, 'stopSignal')) return handlers;
  return [...handlers, ...stopSignal(text(lifecycle, 'stopSignal'), path.child('stopSignal'), os)];
}

function stopSignal(signal: string, path: FieldPath, os: string | undefined): FieldError[] {
  if (os === undefined) return [forbidden(path, 'may not be set for containers with empty `spec.os.name`')];
  const supported = os === 'windows' ? WINDOWS_SIGNALS : LINUX_SIGNALS;
  if ((os !== 'windows' && os !== 'linux') || supported.includes(signal)) return [];
  return [notSupported(path, signal, supported)];
}
