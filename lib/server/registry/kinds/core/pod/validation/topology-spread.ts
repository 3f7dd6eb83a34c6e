import type { TopologySpreadConstraint } from '#lib/api/types/core.v1.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { NOT_POSITIVE, optionalOneOf } from '../../../shared/validate.ts';
import { validateLabelKeys, validateLegacyLabelKeys } from './label-keys.ts';
import type { PodValidationOptions } from './options.ts';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

/** Upstream's validateTopologySpreadConstraints. */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const last = new Map(constraints.map((constraint, i) => [pairOf(constraint), i]));
  return constraints.flatMap((constraint, i) => {
    const at = path.index(i);
    const action = constraint.whenUnsatisfiable;
    return [
      ...positive(constraint.maxSkew, at.child('maxSkew')),
      ...(constraint.topologyKey === '' ? [required(at.child('topologyKey'), 'can not be empty')] : []),
      ...(ACTIONS.includes(action) ? [] : [notSupported(at.child('whenUnsatisfiable'), action, ACTIONS)]),
      ...(last.get(pairOf(constraint)) === i
        ? []
        : [duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pairOf(constraint))]),
      ...minDomains(constraint, at.child('minDomains')),
      ...optionalOneOf(constraint, 'nodeAffinityPolicy', at, POLICIES),
      ...optionalOneOf(constraint, 'nodeTaintsPolicy', at, POLICIES),
      ...(options.legacyMatchLabelKeys
        ? validateLegacyLabelKeys(constraint, at.child('matchLabelKeys'))
        : validateLabelKeys(constraint, at)),
      ...(options.allowInvalidSpreadSelector
        ? []
        : validateLabelSelector(constraint.labelSelector, at.child('labelSelector'))),
    ];
  });
}

function positive(value: number, path: FieldPath): FieldError[] {
  return value > 0 ? [] : [invalid(path, value, NOT_POSITIVE)];
}

/** Each pair of topology key and action must be unique. */
function pairOf({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
}

function minDomains(
  { minDomains: domains, whenUnsatisfiable: action }: TopologySpreadConstraint,
  path: FieldPath,
): FieldError[] {
  if (domains === undefined) return [];
  const message = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [...positive(domains, path), ...(action === 'DoNotSchedule' ? [] : [invalid(path, domains, message)])];
}
