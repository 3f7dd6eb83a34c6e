import { decodedAs } from '#lib/api/testing.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import { POD_DISRUPTION_BUDGETS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { aHandle, aNode, aPod, aSnapshot, type HandleOf, inOneStep, type PodOf } from '../../testing/wrappers.ts';
import { CycleState } from '../cycle-state.ts';
import type { Handle, Plugin } from '../interface.ts';
import { nodeResourcesFitArgs } from '../plugins/noderesources/args.ts';
import { nodeResourcesFit } from '../plugins/noderesources/fit.ts';
import type { PodInfo } from '../pod-info.ts';
import type { Outcome } from '../status.ts';

const AMOUNTS = new Map([
  ['s', '100m'],
  ['m', '200m'],
  ['l', '300m'],
  ['xl', '500m'],
]);

/** Parses `name@node 10 m #3`: a pod of priority 10 and medium size on a node, running since second 3. */
export function pod(text: string, of: PodOf = {}): Pod {
  const [, name = '', nodeName = '', priority = '0', size = '', second = ''] =
    /^([^@\s]+)(?:@(\S+))?(?: (-?\d+))?(?: ([a-z]+))?(?: #(\d))?$/.exec(text) ?? [];
  const amount = AMOUNTS.get(size);
  return aPod({
    name,
    priority: Number(priority),
    ...(nodeName === '' ? {} : { nodeName }),
    ...(amount === undefined ? {} : { requests: { cpu: amount } }),
    ...(second === '' ? {} : { status: { startTime: `2026-01-01T00:00:0${second}Z` } }),
    ...of,
  });
}

/** Parses nodes of size xl, or with room for one pod: `a b:one`. The label `host` holds the node's name. */
export const nodes = (text: string): Node[] =>
  text.split(' ').map((one) => {
    const [name = '', kind] = one.split(':');
    const capacity: JsonObject = kind === 'one' ? { pods: '1', cpu: '10' } : { pods: '99', cpu: '500m' };
    return aNode({ name, capacity, labels: { host: name } });
  });

/** The nodes, pods and plugins of a test. */
export interface WorldOf extends HandleOf {
  readonly nodes: Node[];
  readonly pods?: Pod[];
  readonly pdbs?: readonly PodDisruptionBudget[];
  /** Plugins in addition to the resource fit. */
  readonly plugins?: readonly ((handle: Handle) => Plugin)[];
}

/** A cluster in memory. */
export interface World {
  readonly handle: Handle;
  /** The cycle state after the plugins' PreFilter. */
  stateOf(pod: PodInfo): CycleState;
}

/** Creates nodes and pods, and a handle whose filters are real plugins. */
export function aWorld({ nodes: on, pods = [], pdbs = [], plugins: make = [], ...of }: WorldOf): World {
  const objects = { pods, poddisruptionbudgets: pdbs, ...of.objects };
  const base = aHandle({ snapshot: aSnapshot(on, pods), ...of, objects });
  const plugins = [nodeResourcesFit(nodeResourcesFitArgs.parse({}), base), ...make.map((one) => one(base))];
  const run = (state: CycleState, step: (plugin: Plugin) => Outcome): Outcome =>
    plugins
      .filter(({ name }) => !state.skipFilter.has(name))
      .reduce<Outcome>((found, plugin) => found ?? step(plugin), undefined);
  const handle: Handle = {
    ...base,
    runFilterPluginsWithNominatedPods: (state, info, node) =>
      inOneStep(() => run(state, (one) => one.filter?.(state, info, node))),
    runPreFilterExtensionAddPod: (state, info, other, node) =>
      run(state, (one) => one.preFilterExtensions?.addPod(state, info, other, node)),
    runPreFilterExtensionRemovePod: (state, info, other, node) =>
      run(state, (one) => one.preFilterExtensions?.removePod(state, info, other, node)),
    ...of.run,
  };
  return {
    handle,
    stateOf(info) {
      const state = new CycleState();
      for (const plugin of plugins) {
        const status = plugin.preFilter?.(state, info, base.snapshot().nodes).status;
        if (status?.code === 'Skip') state.skipFilter.add(plugin.name);
      }
      return state;
    },
  };
}

/** A budget for pods with the label in the pods' namespace. */
export const aBudget = (
  label: string,
  disruptionsAllowed: number,
  disrupted: readonly string[] = [],
): PodDisruptionBudget =>
  decodedAs(POD_DISRUPTION_BUDGETS, {
    metadata: { name: label, namespace: 'default' },
    spec: { selector: { matchLabels: { [label]: '' } } },
    status: {
      disruptionsAllowed,
      disruptedPods: Object.fromEntries(disrupted.map((name) => [name, '2026-01-01T00:00:00Z'])),
    },
  });

/** The names of pods, separated by spaces. */
export const names = (pods: readonly Pod[]): string => pods.map(nameOf).join(' ');
