import { taintsOf } from '#lib/component-helpers/scheduling/corev1/taints.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag, items, text } from '#lib/machinery/unstructured.ts';

const tolerationOf = (name: string, effect: string): JsonObject => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
});

/** Daemons run where others would not, and stay. */
const DAEMONS: readonly JsonObject[] = [
  tolerationOf('not-ready', 'NoExecute'),
  tolerationOf('unreachable', 'NoExecute'),
  tolerationOf('disk-pressure', 'NoSchedule'),
  tolerationOf('memory-pressure', 'NoSchedule'),
  tolerationOf('pid-pressure', 'NoSchedule'),
  tolerationOf('unschedulable', 'NoSchedule'),
];
const ON_HOST = tolerationOf('network-unavailable', 'NoSchedule');
const SAME = ['key', 'operator', 'effect', 'value'];

/** What the pods of a daemon set tolerate: what their template says, and what all daemons do. */
export function daemonTolerations(spec: JsonObject | undefined): readonly JsonObject[] {
  const needed = flag(spec, 'hostNetwork') === true ? [...DAEMONS, ON_HOST] : DAEMONS;
  return needed.reduce<readonly JsonObject[]>(withToleration, items(spec, 'tolerations'));
}

/** One that is the same but for its time is replaced. */
function withToleration(held: readonly JsonObject[], needed: JsonObject): readonly JsonObject[] {
  const isSame = (one: JsonObject): boolean => SAME.every((field) => text(one, field) === text(needed, field));
  return held.some(isSame) ? held.map((one) => (isSame(one) ? needed : one)) : [...held, needed];
}

/** Whether what decides where pods may run is the same on both. */
export const sameTaints = (a: JsonObject, b: JsonObject): boolean => equal([...taintsOf(a)], [...taintsOf(b)]);
