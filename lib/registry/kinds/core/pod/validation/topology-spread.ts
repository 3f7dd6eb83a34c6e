import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, integer, text, type Integer } from '#lib/machinery/unstructured.ts';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { NOT_POSITIVE, optionalOneOf } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validateLabelKeys, validateLegacyLabelKeys } from './label-keys.ts';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

export function validateTopologySpread(
  constraints: readonly JsonObject[],
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const last = new Map(constraints.map((constraint, i) => [pairOf(constraint), i]));
  return constraints.flatMap((constraint, i) => {
    const at = path.index(i);
    const action = text(constraint, 'whenUnsatisfiable');
    return [
      ...positive(count(constraint, 'maxSkew'), at.child('maxSkew')),
      ...(text(constraint, 'topologyKey') === '' ? [required(at.child('topologyKey'), 'can not be empty')] : []),
      ...(ACTIONS.includes(action) ? [] : [notSupported(at.child('whenUnsatisfiable'), action, ACTIONS)]),
      ...(last.get(pairOf(constraint)) === i
        ? []
        : [duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pairOf(constraint))]),
      ...minDomains(constraint, action, at.child('minDomains')),
      ...optionalOneOf(constraint, 'nodeAffinityPolicy', at, POLICIES),
      ...optionalOneOf(constraint, 'nodeTaintsPolicy', at, POLICIES),
      ...(options.legacyMatchLabelKeys
        ? validateLegacyLabelKeys(constraint, at.child('matchLabelKeys'))
        : validateLabelKeys(constraint, at)),
      ...(options.allowInvalidSpreadSelector
        ? []
        : validateLabelSelector(objectAt(constraint, 'labelSelector'), at.child('labelSelector'))),
    ];
  });
}

function positive(value: Integer, path: FieldPath): FieldError[] {
  return value > 0 ? [] : [invalid(path, value, NOT_POSITIVE)];
}

/** One key and action denote one kind of constraint. */
function pairOf(constraint: JsonObject): string {
  return `{${text(constraint, 'topologyKey')}, ${text(constraint, 'whenUnsatisfiable')}}`;
}

function minDomains(constraint: JsonObject, action: string, path: FieldPath): FieldError[] {
  const domains = integer(constraint, 'minDomains');
  if (domains === undefined) return [];
  const message = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [...positive(domains, path), ...(action === 'DoNotSchedule' ? [] : [invalid(path, domains, message)])];
}
