import * as z from 'zod';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { typeMeta } from '../shared/args.ts';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const TYPES = ['System', 'List'];

/** A `v1.TopologySpreadConstraint` without a selector. Unknown fields are ignored. */
const defaultConstraint = z
  .object({
    maxSkew: z.int(),
    topologyKey: z.string(),
    whenUnsatisfiable: z.string(),
    minDomains: z.int(),
    nodeAffinityPolicy: z.string(),
    nodeTaintsPolicy: z.string(),
    matchLabelKeys: z.array(z.string()),
    /** Decoded only so that validation can reject it. */
    labelSelector: z.unknown(),
  })
  .partial();
/** A topology spread constraint of the arguments. */
export type DefaultConstraint = z.output<typeof defaultConstraint>;

/** Upstream's PodTopologySpreadArgs. */
export const podTopologySpreadArgs = z.strictObject({
  ...typeMeta,
  /** The constraints of pods without their own. */
  defaultConstraints: z.array(defaultConstraint).default([]),
  /** `System` uses the scheduler's own default constraints, `List` uses `defaultConstraints`. */
  defaultingType: z.string().default('System'),
});
/** The plugin's arguments, with defaults set. */
export type PodTopologySpreadArgs = z.infer<typeof podTopologySpreadArgs>;

/** Upstream's ValidatePodTopologySpreadArgs. */
export function validatePodTopologySpreadArgs(args: PodTopologySpreadArgs, path: FieldPath): FieldError[] {
  const list = path.child('defaultConstraints');
  const pairs = args.defaultConstraints.map(pairOf);
  return [
    ...typeErrors(args, path.child('defaultingType')),
    ...args.defaultConstraints.flatMap((one, i) => [
      ...constraintErrors(one, list.index(i)),
      ...(pairs.indexOf(pairOf(one)) < i ? [duplicate(list.index(i), pairOf(one))] : []),
    ]),
  ];
}

function typeErrors({ defaultingType, defaultConstraints }: PodTopologySpreadArgs, path: FieldPath): FieldError[] {
  if (!TYPES.includes(defaultingType)) return [notSupported(path, defaultingType, TYPES)];
  const isBoth = defaultingType === 'System' && defaultConstraints.length > 0;
  return isBoth ? [invalid(path, defaultingType, 'when .defaultConstraints are not empty')] : [];
}

function constraintErrors(constraint: DefaultConstraint, path: FieldPath): FieldError[] {
  const { maxSkew = 0, topologyKey: key = '', whenUnsatisfiable = '', labelSelector = null } = constraint;
  const keyPath = path.child('topologyKey');
  const selector = 'constraint must not define a selector, as they deduced for each pod';
  return [
    ...(maxSkew > 0 ? [] : [invalid(path.child('maxSkew'), maxSkew, 'not in valid range (0, inf)')]),
    ...(key === '' ? [required(keyPath, 'can not be empty')] : validateLabelName(key, keyPath)),
    ...actionErrors(whenUnsatisfiable, path.child('whenUnsatisfiable')),
    ...(labelSelector !== null ? [forbidden(path.child('labelSelector'), selector)] : []),
  ];
}

function actionErrors(action: string, path: FieldPath): FieldError[] {
  if (action === '') return [required(path, 'can not be empty')];
  return ACTIONS.includes(action) ? [] : [notSupported(path, action, ACTIONS)];
}

const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: DefaultConstraint): string =>
  `{${topologyKey}, ${whenUnsatisfiable}}`;
