import type { TopologySpreadConstraint } from '#lib/api/types/core.v1.ts';
import type { LabelSelector as ApiLabelSelector } from '#lib/api/types/meta.v1.ts';
import {
  isEverything,
  type LabelSelector,
  selectorFromObject,
  selectorFromSet,
} from '#lib/machinery/labels/selector.ts';
import type { Handle } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { both, defaultSelector } from '../shared/default-selector.ts';
import type { DefaultConstraint, PodTopologySpreadArgs } from './args.ts';

/** The `whenUnsatisfiable` of a constraint. */
export type Action = 'DoNotSchedule' | 'ScheduleAnyway';
/** The topology key whose domains are single nodes. */
export const HOSTNAME = 'kubernetes.io/hostname';

/** A parsed topology spread constraint of a pod. */
export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: LabelSelector;
  readonly minDomains: number;
  /** Whether only nodes that match the pod's node affinity count. */
  readonly honorsAffinity: boolean;
  /** Whether only nodes whose taints the pod tolerates count. */
  readonly honorsTaints: boolean;
}

/** The constraints of pods without their own: upstream's system default constraints. */
const SYSTEM: readonly ConstraintFields[] = [
  { topologyKey: HOSTNAME, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

/** The fields of a pod's constraint or a default constraint. */
interface ConstraintFields {
  readonly maxSkew?: number | undefined;
  readonly topologyKey?: string | undefined;
  readonly whenUnsatisfiable?: string | undefined;
  readonly minDomains?: number | undefined;
  readonly nodeAffinityPolicy?: string | undefined;
  readonly nodeTaintsPolicy?: string | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly labelSelector?: ApiLabelSelector;
}

/** A default constraint selects pods by the pod's services and controller. */
function withoutSelector(constraint: DefaultConstraint): ConstraintFields {
  const { labelSelector: _, ...given } = constraint;
  return given;
}

const own = ({ pod: { spec } }: PodInfo): readonly TopologySpreadConstraint[] => spec.topologySpreadConstraints ?? [];

/** The constraints of a pod, or the default ones if it has none. */
export class Constraints {
  readonly #lister: Handle['lister'];
  readonly #defaults: readonly ConstraintFields[];
  readonly #isSystem: boolean;

  constructor({ defaultingType, defaultConstraints }: PodTopologySpreadArgs, lister: Handle['lister']) {
    this.#lister = lister;
    this.#isSystem = defaultingType === 'System';
    this.#defaults = this.#isSystem ? SYSTEM : defaultConstraints.map(withoutSelector);
  }

  /** Returns the constraints with this action. Throws StatusError 400 for an invalid selector. */
  of(pod: PodInfo, action: Action): readonly Constraint[] {
    const given = own(pod);
    if (given.length > 0) return ownOf(pod, given, action);
    const defaults = parseAll(this.#defaults, action, pod);
    if (defaults.length === 0) return [];
    const selector = defaultSelector(pod, this.#lister);
    return isEverything(selector) ? [] : defaults.map((one) => ({ ...one, selector }));
  }

  /** Whether only nodes with all topology keys count. With the system defaults, pods also spread over hosts without zones. */
  needsAllKeys(pod: PodInfo): boolean {
    return own(pod).length > 0 || !this.#isSystem;
  }
}

const parsed = new WeakMap<PodInfo, Map<Action, readonly Constraint[]>>();

/** Parses each pod's constraints once, because every change reads those of all waiting pods. */
function ownOf(pod: PodInfo, given: readonly ConstraintFields[], action: Action): readonly Constraint[] {
  const byAction = parsed.get(pod) ?? new Map<Action, readonly Constraint[]>();
  const constraints = byAction.get(action) ?? parseAll(given, action, pod);
  parsed.set(pod, byAction.set(action, constraints));
  return constraints;
}

const parseAll = (constraints: readonly ConstraintFields[], action: Action, pod: PodInfo): Constraint[] =>
  constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action).map((one) => parse(one, pod));

function parse(given: ConstraintFields, pod: PodInfo): Constraint {
  return {
    maxSkew: given.maxSkew ?? 0,
    topologyKey: given.topologyKey ?? '',
    selector: withLabelKeys(selectorFromObject(given.labelSelector), given, pod),
    minDomains: given.minDomains ?? 1,
    honorsAffinity: given.nodeAffinityPolicy !== 'Ignore',
    honorsTaints: given.nodeTaintsPolicy === 'Honor',
  };
}

/** Adds the pod's labels for the keys in `matchLabelKeys` to the selector (KEP-3243). */
function withLabelKeys(
  selector: LabelSelector,
  { matchLabelKeys = [] }: ConstraintFields,
  { labels }: PodInfo,
): LabelSelector {
  const keys = matchLabelKeys.filter((key) => key in labels);
  if (keys.length === 0 || selector.nothing === true) return selector;
  return both(selectorFromSet(Object.fromEntries(keys.map((key) => [key, labels[key] ?? '']))), selector);
}

/** Whether a node's labels have the topology keys of all constraints. */
export const hasAllKeys = (labels: Readonly<Record<string, string>>, constraints: readonly Constraint[]): boolean =>
  constraints.every(({ topologyKey }) => topologyKey in labels);
