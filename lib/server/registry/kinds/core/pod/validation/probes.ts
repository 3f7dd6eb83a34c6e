import type { Probe } from '#lib/api/types/core.v1.ts';
import type { Integer } from '#lib/machinery/unstructured.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { nonnegative } from '../../../shared/validate.ts';
import { validateProbeHandler } from './handlers.ts';
import type { AnyContainer } from './visit.ts';

type GracePeriod = Integer | undefined;

/** Validates the three probes of a long-running container. `gracePeriod` is the pod's. */
export function validateProbes(container: AnyContainer, path: FieldPath, gracePeriod: GracePeriod): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...(livenessProbe === undefined ? [] : succeedsOnce(livenessProbe, path.child('livenessProbe'), gracePeriod)),
    ...(readinessProbe === undefined ? [] : readiness(readinessProbe, path.child('readinessProbe'), gracePeriod)),
    ...(startupProbe === undefined ? [] : succeedsOnce(startupProbe, path.child('startupProbe'), gracePeriod)),
  ];
}

function succeedsOnce(probe: Probe, path: FieldPath, gracePeriod: GracePeriod): FieldError[] {
  const { successThreshold = 0 } = probe;
  const once = successThreshold === 1;
  return [
    ...validateProbe(probe, path, gracePeriod),
    ...(once ? [] : [invalid(path.child('successThreshold'), successThreshold, 'must be 1')]),
  ];
}

function readiness(probe: Probe, path: FieldPath, gracePeriod: GracePeriod): FieldError[] {
  const errors = validateProbe(probe, path, gracePeriod);
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds === undefined) return errors;
  const where = path.child('terminationGracePeriodSeconds');
  return [...errors, invalid(where, seconds, 'must not be set for readinessProbes')];
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe, path: FieldPath, gracePeriod: GracePeriod): FieldError[] {
  const seconds = probe.terminationGracePeriodSeconds;
  const where = path.child('terminationGracePeriodSeconds');
  return [
    ...validateProbeHandler(probe, path, gracePeriod),
    ...nonnegative(probe, path, ...COUNTS),
    ...(seconds !== undefined && seconds <= 0 ? [invalid(where, seconds, 'must be greater than 0')] : []),
  ];
}
