import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { newSnapshot } from '../../../backend/cache/snapshot.ts';
import { aHandle, aPodInfo } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import type { Handle, NodeScore, Plugin } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { interPodAffinityArgs } from '../interpodaffinity/args.ts';
import { interPodAffinity } from '../interpodaffinity/inter-pod-affinity.ts';
import { affinity, term } from '../interpodaffinity/testing.ts';
import { podTopologySpreadArgs } from '../podtopologyspread/args.ts';
import { podTopologySpread } from '../podtopologyspread/pod-topology-spread.ts';
import { hard, soft } from '../podtopologyspread/testing.ts';
import { Cluster, happening } from './testing.ts';

const BAR = { labelSelector: { matchLabels: { bar: '' } } };
const spread = (...topologySpreadConstraints: JsonObject[]): JsonObject => ({ topologySpreadConstraints });

/** The specs of pods, by their only label. */
const SPECS: Readonly<Record<string, JsonObject>> = {
  foo: {
    ...spread(
      hard('zone'),
      hard('host', { nodeTaintsPolicy: 'Honor' }),
      soft('zone', BAR),
      soft('kubernetes.io/hostname'),
    ),
    ...affinity({ apart: [term('bar @ host')], rather: [[3, term('foo @ zone')]] }),
  },
  bar: {
    ...spread(hard('host', { maxSkew: 2, ...BAR })),
    ...affinity({ near: [term('bar @ zone')], ratherApart: [[5, term('foo @ zone')]] }),
  },
  baz: affinity({ apart: [term('baz @ zone')] }),
};

const MAKE: readonly ((handle: Handle) => Plugin)[] = [
  (handle) => podTopologySpread(podTopologySpreadArgs.parse({}), handle),
  (handle) => interPodAffinity(interPodAffinityArgs.parse({}), handle),
];

/** Every result of a plugin for a pod. */
function verdicts(plugin: Plugin, pod: PodInfo, { snapshot }: Handle): unknown {
  const [state, { nodes }] = [new CycleState(), snapshot()];
  const refused = plugin.preFilter?.(state, pod, nodes).status;
  const filtered = refused ?? nodes.map((node) => plugin.filter?.(state, pod, node));
  const skipped = plugin.preScore?.(state, pod, nodes);
  if (skipped !== undefined) return { filtered, skipped };
  const scores = nodes.map((node): NodeScore => ({ name: node.name, score: Number(plugin.score?.(state, pod, node)) }));
  plugin.normalizeScore?.(state, pod, scores);
  return { filtered, scores };
}

test('gives a plugin with kept counts the same results as a new one after any changes', () => {
  const incoming = Object.entries(SPECS).map(([label, spec]) =>
    aPodInfo({ name: `new-${label}`, labels: { [label]: '' }, spec }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(happening, { maxLength: 5 }), { maxLength: 8 }), (steps) => {
      const cluster = new Cluster((label) => SPECS[label] ?? {});
      const aView = (): Handle => ({ ...aHandle(), snapshot: () => newSnapshot(cluster.nodes) });
      const handle = aView();
      const kept = MAKE.map((make) => make(handle));
      for (const [i, step] of steps.entries()) {
        for (const one of step) cluster.happen(one);
        const pod = incoming[i % incoming.length] as PodInfo;
        const fresh = aView();
        expect(kept.map((plugin) => verdicts(plugin, pod, handle))).toEqual(
          MAKE.map((make) => verdicts(make(fresh), pod, fresh)),
        );
      }
    }),
  );
});
