import type {
  ExecAction,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
  SleepAction,
} from '#lib/api/types/core.v1.ts';
import type { Integer } from '#lib/machinery/unstructured.ts';
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isHTTPHeaderName } from '#lib/machinery/validation/formats.ts';
import { checked, requiredText } from '../../../shared/validate.ts';
import { type Alternative, alternativesOf } from './alternatives.ts';
import { portNumOrName } from './ports.ts';
import { LINUX_SIGNALS, WINDOWS_SIGNALS } from './signals.ts';

type GracePeriod = Integer | undefined;

const ofProbe = alternativesOf<Probe, GracePeriod>();
const PROBE_HANDLERS = [
  ofProbe('exec', exec),
  ofProbe('httpGet', httpGet),
  ofProbe('tcpSocket', port),
  ofProbe('grpc', port),
];

const ofLifecycle = alternativesOf<LifecycleHandler, GracePeriod>();
const LIFECYCLE_HANDLERS = [
  ofLifecycle('exec', exec),
  ofLifecycle('httpGet', httpGet),
  ofLifecycle('tcpSocket', port),
  ofLifecycle('sleep', sleep),
];

/** A probe has exactly one handler. `gracePeriod` is the pod's. */
export const validateProbeHandler = (probe: Probe, path: FieldPath, gracePeriod: GracePeriod): FieldError[] =>
  oneHandler(PROBE_HANDLERS, probe, path, gracePeriod);

/** Exactly one of the allowed handlers must be set. */
function oneHandler<T>(
  handlers: readonly Alternative<T, GracePeriod>[],
  object: T,
  path: FieldPath,
  gracePeriod: GracePeriod,
): FieldError[] {
  const set = handlers.filter(({ isSet }) => isSet(object));
  if (set.length === 0) return [required(path, 'must specify a handler type')];
  return set.flatMap(({ field, validate }, i) =>
    i > 0
      ? [forbidden(path.child(field), 'may not specify more than 1 handler type')]
      : validate(object, path, gracePeriod),
  );
}

function port(action: { readonly port: number | string }, path: FieldPath): FieldError[] {
  return portNumOrName(action.port, path.child('port'));
}

function exec({ command = [] }: ExecAction, path: FieldPath): FieldError[] {
  return command.length === 0 ? [required(path.child('command'))] : [];
}

const SCHEMES = ['HTTP', 'HTTPS'];

function httpGet(action: HTTPGetAction, path: FieldPath): FieldError[] {
  const { scheme = '', httpHeaders = [] } = action;
  return [
    ...requiredText(action, 'path', path),
    ...port(action, path),
    ...(SCHEMES.includes(scheme) ? [] : [notSupported(path.child('scheme'), scheme, SCHEMES)]),
    ...httpHeaders.flatMap(({ name }) => checked(name, path.child('httpHeaders'), isHTTPHeaderName)),
  ];
}

function sleep({ seconds }: SleepAction, path: FieldPath, gracePeriod: GracePeriod): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const message = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(path, seconds, message)];
}

/** Validates a container's lifecycle handlers and stop signal. `os` is the pod's, undefined if the pod names none. */
export function validateLifecycle(
  { postStart, preStop, stopSignal }: Lifecycle,
  path: FieldPath,
  { gracePeriod, os }: { gracePeriod: GracePeriod; os: string | undefined },
): FieldError[] {
  const handlers = [
    ...(postStart === undefined ? [] : oneHandler(LIFECYCLE_HANDLERS, postStart, path.child('postStart'), gracePeriod)),
    ...(preStop === undefined ? [] : oneHandler(LIFECYCLE_HANDLERS, preStop, path.child('preStop'), gracePeriod)),
  ];
  if (stopSignal === undefined) return handlers;
  return [...handlers, ...validateStopSignal(stopSignal, path.child('stopSignal'), os)];
}

function validateStopSignal(signal: string, path: FieldPath, os: string | undefined): FieldError[] {
  if (os === undefined) return [forbidden(path, 'may not be set for containers with empty `spec.os.name`')];
  const supported = os === 'windows' ? WINDOWS_SIGNALS : LINUX_SIGNALS;
  if ((os !== 'windows' && os !== 'linux') || supported.includes(signal)) return [];
  return [notSupported(path, signal, supported)];
}
