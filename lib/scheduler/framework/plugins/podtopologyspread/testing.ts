import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aNode, aPod, type NodeOf, type PodOf } from '../../../testing/wrappers.ts';
import { HOSTNAME } from './constraints.ts';

/** Selects pods with the label `foo`. */
export const FOO: JsonObject = { matchLabels: { foo: '' } };
/** Selects pods with the label `bar`. */
export const BAR: JsonObject = { matchLabels: { bar: '' } };

/** Nodes a and b in zone1, x and y in zone2. The label `node` and the hostname label hold the node's name. */
export const inZones = (more: Readonly<Record<string, NodeOf>> = {}): Node[] =>
  ['a', 'b', 'x', 'y'].map((name) => {
    const { labels, ...of } = more[name] ?? {};
    const zone = name < 'm' ? 'zone1' : 'zone2';
    return aNode({ name, labels: { zone, node: name, [HOSTNAME]: name, ...labels }, ...of });
  });

/** Parses pods: `a:foo,bar y:foo` is a pod on node a with the labels foo and bar, and one on node y with foo. */
export const onNodes = (text: string, of: PodOf = {}): Pod[] =>
  text
    .split(' ')
    .filter((one) => one !== '')
    .map((one, i) => {
      const [nodeName = '', keys = ''] = one.split(':');
      return aPod({ name: `p${i}`, nodeName, labels: labelsOf(keys), ...of });
    });

/** Labels with these keys, separated by commas, and empty values. */
export const labelsOf = (keys: string): JsonObject => Object.fromEntries(keys.split(',').map((key) => [key, '']));

/** A hard constraint (DoNotSchedule) on pods with foo. */
export const hard = (topologyKey: string, more: JsonObject = {}): JsonObject => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: FOO,
  ...more,
});

/** A soft constraint (ScheduleAnyway) on pods with foo. */
export const soft = (topologyKey: string, more: JsonObject = {}): JsonObject =>
  hard(topologyKey, { whenUnsatisfiable: 'ScheduleAnyway', ...more });

/** A pod with these constraints. By default it has the labels foo and bar. */
export const spreading = (topologySpreadConstraints: JsonObject[], { spec, ...of }: PodOf = {}): Pod =>
  aPod({ name: 'p', labels: labelsOf('foo,bar'), spec: { topologySpreadConstraints, ...spec }, ...of });
