import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, integer, type Integer } from '#lib/machinery/unstructured.ts';
import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { nonnegative } from '../../../shared/validate.ts';
import { PROBE_HANDLERS, validateHandler } from './handlers.ts';

/** The three probes of a container that may have them. */
export function validateProbes(container: JsonObject, path: FieldPath, gracePeriod: Integer | undefined): FieldError[] {
  return [
    ...one(container, 'livenessProbe', path, gracePeriod, mustBeOne),
    ...one(container, 'readinessProbe', path, gracePeriod, noGracePeriod),
    ...one(container, 'startupProbe', path, gracePeriod, mustBeOne),
  ];
}

type Extra = (probe: JsonObject, path: FieldPath) => FieldError[];

function one(
  container: JsonObject,
  field: string,
  path: FieldPath,
  gracePeriod: Integer | undefined,
  extra: Extra,
): FieldError[] {
  const probe = objectAt(container, field);
  if (probe === undefined) return [];
  return [...validateProbe(probe, path.child(field), gracePeriod), ...extra(probe, path.child(field))];
}

function mustBeOne(probe: JsonObject, path: FieldPath): FieldError[] {
  const threshold = count(probe, 'successThreshold');
  return threshold === 1 ? [] : [invalid(path.child('successThreshold'), threshold, 'must be 1')];
}

function noGracePeriod(probe: JsonObject, path: FieldPath): FieldError[] {
  const seconds = integer(probe, 'terminationGracePeriodSeconds');
  if (seconds === undefined) return [];
  return [invalid(path.child('terminationGracePeriodSeconds'), seconds, 'must not be set for readinessProbes')];
}

const COUNTS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function validateProbe(probe: JsonObject, path: FieldPath, gracePeriod: Integer | undefined): FieldError[] {
  const seconds = integer(probe, 'terminationGracePeriodSeconds');
  const where = path.child('terminationGracePeriodSeconds');
  return [
    ...validateHandler(probe, PROBE_HANDLERS, path, gracePeriod),
    ...nonnegative(probe, path, ...COUNTS),
    ...(seconds !== undefined && seconds <= 0 ? [invalid(where, seconds, 'must be greater than 0')] : []),
  ];
}
