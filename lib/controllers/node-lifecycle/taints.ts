import type { Node, NodeCondition, Taint } from '#lib/api/types/core.v1.ts';
import { taintsOf } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

const key = (name: string): string => `node.kubernetes.io/${name}`;
/** The taint of nodes that are not ready. */
export const NOT_READY = key('not-ready');
/** The taint of nodes that are lost. */
export const UNREACHABLE = key('unreachable');
const UNSCHEDULABLE = key('unschedulable');

/** The taint for each status of a condition. */
const BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: key('memory-pressure') },
  DiskPressure: { True: key('disk-pressure') },
  NetworkUnavailable: { True: key('network-unavailable') },
  PIDPressure: { True: key('pid-pressure') },
};
const OURS = new Set([...Object.values(BY_CONDITION).flatMap((keys) => Object.values(keys)), UNSCHEDULABLE]);

/** Whether a node has a taint of this key and effect. */
export const hasTaint = (node: Node, name: string, effect: string): boolean =>
  taintsOf(node).some((taint) => taint.key === name && taint.effect === effect);

/**
 * The node's taints, including exactly the NoSchedule taints that its conditions require. Taints of other writers are kept. Undefined if
 * they are up to date.
 */
export function scheduleTaints(node: Node, now: number): readonly Taint[] | undefined {
  const wanted = new Set((node.status.conditions ?? []).flatMap(keyOf));
  if (node.spec.unschedulable === true) wanted.add(UNSCHEDULABLE);
  return withTaints(node, 'NoSchedule', { wanted, among: OURS, now });
}

function keyOf({ type, status }: NodeCondition): string[] {
  const found = ownField(ownField(BY_CONDITION, type), status);
  return found === undefined ? [] : [found];
}

/**
 * The node's taints with this one as the only NoExecute taint of lost nodes, or with none if `name` is undefined. Undefined if they are up
 * to date.
 */
export const executeTaints = (node: Node, name: string | undefined, now: number) =>
  withTaints(node, 'NoExecute', {
    wanted: new Set(name === undefined ? [] : [name]),
    among: new Set([NOT_READY, UNREACHABLE]),
    now,
  });

interface TaintTarget {
  readonly wanted: ReadonlySet<string>;
  /** The keys of taints that this controller may remove. */
  readonly among: ReadonlySet<string>;
  readonly now: number;
}

function withTaints(node: Node, effect: string, { wanted, among, now }: TaintTarget): readonly Taint[] | undefined {
  const isOurs = (taint: Taint): boolean => taint.effect === effect && among.has(taint.key);
  const kept = taintsOf(node).filter((taint) => !isOurs(taint) || wanted.has(taint.key));
  const added = [...wanted].filter((name) => !hasTaint(node, name, effect));
  if (added.length === 0 && kept.length === taintsOf(node).length) return undefined;
  return [...kept, ...added.map((name) => ({ key: name, effect, timeAdded: timeOf(now) }))];
}

const LABELS = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** The deprecated labels whose values differ from those of the current labels, with the current values. */
export function oldLabels(node: Node): Record<string, string> {
  const labels = labelsOf(node);
  const differing = LABELS.flatMap(([name, old]) => {
    const value = labels[name];
    return value === undefined || labels[old] === value ? [] : [[old, value] as const];
  });
  return Object.fromEntries(differing);
}
