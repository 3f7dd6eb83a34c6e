import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import {
  isEverything,
  selectorFromObject,
  selectorFromSet,
  type LabelSelector,
} from '#lib/machinery/labels/selector.ts';
import { count, integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { both, defaultSelector } from '../shared/default-selector.ts';
import type { PodTopologySpreadArgs } from './args.ts';

export type Action = 'DoNotSchedule' | 'ScheduleAnyway';
export const HOSTNAME = 'kubernetes.io/hostname';

/** One topology spread constraint of a pod, parsed. */
export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: LabelSelector;
  readonly minDomains: number;
  /** Whether only nodes count that the pod's node affinity lets it on. */
  readonly honorsAffinity: boolean;
  /** Whether only nodes count whose taints the pod tolerates. */
  readonly honorsTaints: boolean;
}

/** What the scheduler spreads that says nothing itself: upstream's system default constraints. */
const SYSTEM: readonly JsonObject[] = [
  { topologyKey: HOSTNAME, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

const own = (pod: PodInfo): JsonObject[] => items(objectAt(pod.pod, 'spec'), 'topologySpreadConstraints');

/** Which constraints hold for a pod: its own, else the default ones. */
export class Constraints {
  readonly #lister: Handle['lister'];
  readonly #defaults: readonly JsonObject[];
  readonly #isSystem: boolean;

  constructor({ defaultingType, defaultConstraints }: PodTopologySpreadArgs, lister: Handle['lister']) {
    this.#lister = lister;
    this.#isSystem = defaultingType === 'System';
    this.#defaults = this.#isSystem ? SYSTEM : defaultConstraints;
  }

  /** Those of this action. Throws StatusError 400 where a selector makes no sense. */
  of(pod: PodInfo, action: Action): readonly Constraint[] {
    const given = own(pod);
    if (given.length > 0) return ownOf(pod, given, action);
    const defaults = parseAll(this.#defaults, action, pod);
    if (defaults.length === 0) return [];
    const selector = defaultSelector(pod, this.#lister);
    return isEverything(selector) ? [] : defaults.map((one) => ({ ...one, selector }));
  }

  /** Whether only nodes count that have all topology keys: not with system defaults, which spread over hosts without zones too. */
  needsAllKeys(pod: PodInfo): boolean {
    return own(pod).length > 0 || !this.#isSystem;
  }
}

const parsed = new WeakMap<PodInfo, Map<Action, readonly Constraint[]>>();

/** Each change asks for those of all pods that wait: they are parsed once. */
function ownOf(pod: PodInfo, given: readonly JsonObject[], action: Action): readonly Constraint[] {
  const byAction = parsed.get(pod) ?? new Map<Action, readonly Constraint[]>();
  const constraints = byAction.get(action) ?? parseAll(given, action, pod);
  parsed.set(pod, byAction.set(action, constraints));
  return constraints;
}

const parseAll = (constraints: readonly JsonObject[], action: Action, pod: PodInfo): Constraint[] =>
  constraints.filter((one) => text(one, 'whenUnsatisfiable') === action).map((one) => parse(one, pod));

function parse(constraint: JsonObject, pod: PodInfo): Constraint {
  return {
    maxSkew: Number(count(constraint, 'maxSkew')),
    topologyKey: text(constraint, 'topologyKey'),
    selector: withLabelKeys(selectorFromObject(objectAt(constraint, 'labelSelector')), constraint, pod),
    minDomains: Number(integer(constraint, 'minDomains') ?? 1),
    honorsAffinity: text(constraint, 'nodeAffinityPolicy') !== 'Ignore',
    honorsTaints: text(constraint, 'nodeTaintsPolicy') === 'Honor',
  };
}

/** Of `matchLabelKeys` those count that the pod has (KEP-3243). */
function withLabelKeys(selector: LabelSelector, constraint: JsonObject, { labels }: PodInfo): LabelSelector {
  const keys = texts(constraint, 'matchLabelKeys').filter((key) => key in labels);
  if (keys.length === 0 || selector.nothing === true) return selector;
  return both(selectorFromSet(Object.fromEntries(keys.map((key) => [key, labels[key] ?? '']))), selector);
}

export const hasAllKeys = (labels: Readonly<Record<string, string>>, constraints: readonly Constraint[]): boolean =>
  constraints.every(({ topologyKey }) => topologyKey in labels);
