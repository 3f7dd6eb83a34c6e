import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { flag, items, text } from '#lib/machinery/unstructured.ts';
import { conditionsOf, timeOf } from '../workload/conditions.ts';

const key = (name: string): string => `node.kubernetes.io/${name}`;
export const NOT_READY = key('not-ready');
export const UNREACHABLE = key('unreachable');
const UNSCHEDULABLE = key('unschedulable');

/** The taint that each status of a condition stands for. */
const BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: key('memory-pressure') },
  DiskPressure: { True: key('disk-pressure') },
  NetworkUnavailable: { True: key('network-unavailable') },
  PIDPressure: { True: key('pid-pressure') },
};
const OURS = new Set([...Object.values(BY_CONDITION).flatMap((keys) => Object.values(keys)), UNSCHEDULABLE]);

export const taintsOf = (node: JsonObject): readonly JsonObject[] => items(objectAt(node, 'spec'), 'taints');

const is = (taint: JsonObject, name: string, effect: string): boolean =>
  text(taint, 'key') === name && text(taint, 'effect') === effect;

export const hasTaint = (node: JsonObject, name: string, effect: string): boolean =>
  taintsOf(node).some((taint) => is(taint, name, effect));

/** The node's taints so that no pod comes that its conditions speak against; undefined where they are so. */
export function scheduleTaints(node: JsonObject, now: number): readonly JsonObject[] | undefined {
  const wanted = new Set(conditionsOf(node).flatMap(keyOf));
  if (flag(objectAt(node, 'spec'), 'unschedulable') === true) wanted.add(UNSCHEDULABLE);
  return withTaints(node, 'NoSchedule', { wanted, among: OURS, now });
}

function keyOf(condition: JsonObject): string[] {
  const type = text(condition, 'type');
  const keys = Object.hasOwn(BY_CONDITION, type) ? BY_CONDITION[type] : undefined;
  const found = keys?.[text(condition, 'status')];
  return found === undefined ? [] : [found];
}

/** The node's taints with the one NoExecute taint of those for lost nodes, or none; undefined where they are so. */
export const executeTaints = (node: JsonObject, name: string | undefined, now: number) =>
  withTaints(node, 'NoExecute', {
    wanted: new Set(name === undefined ? [] : [name]),
    among: new Set([NOT_READY, UNREACHABLE]),
    now,
  });

interface Wanted {
  readonly wanted: ReadonlySet<string>;
  /** Those that are ours to take away. */
  readonly among: ReadonlySet<string>;
  readonly now: number;
}

function withTaints(
  node: JsonObject,
  effect: string,
  { wanted, among, now }: Wanted,
): readonly JsonObject[] | undefined {
  const isOurs = (taint: JsonObject): boolean => text(taint, 'effect') === effect && among.has(text(taint, 'key'));
  const kept = taintsOf(node).filter((taint) => !isOurs(taint) || wanted.has(text(taint, 'key')));
  const added = [...wanted].filter((name) => !hasTaint(node, name, effect));
  if (added.length === 0 && kept.length === taintsOf(node).length) return undefined;
  return [...kept, ...added.map((name) => ({ key: name, effect, timeAdded: timeOf(now) }))];
}

const LABELS = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** Labels under old names, where they differ from those under new ones. */
export function oldLabels(node: JsonObject): Record<string, string> {
  const labels = labelsOf(node);
  const differing = LABELS.flatMap(([name, old]) => {
    const value = labels[name];
    return value === undefined || labels[old] === value ? [] : [[old, value] as const];
  });
  return Object.fromEntries(differing);
}
