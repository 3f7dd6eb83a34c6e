import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { CycleState } from '../cycle-state.ts';
import type { PreFilterExtensions, PreFiltered, PreFilterResult } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, messageOf, newStatus, type Outcome, outcomeOf, type Status, withPlugin } from '../status.ts';
import type { ExtensionPoints, With } from './extension-points.ts';

/** The combined result of all PreFilter plugins. */
export interface AllPreFiltered extends PreFiltered {
  /** The plugins that limited the nodes. */
  readonly plugins: readonly string[];
}

/** Upstream's RunPreFilterPlugins: intersects the nodes of all plugins. A refusal ends the run, unless preemption may help. */
export function runPreFilterPlugins(
  plugins: ExtensionPoints['preFilter'],
  state: CycleState,
  pod: PodInfo,
  nodes: readonly NodeInfo[],
): AllPreFiltered {
  const naming: string[] = [];
  let result: PreFilterResult | undefined;
  let refusal: Status | undefined;
  state.skipFilter.clear();
  for (const plugin of plugins) {
    const { status, result: named } = preFilter(plugin, state, pod, nodes);
    if (status?.code === 'Skip') state.skipFilter.add(plugin.name);
    else if (status?.code === 'Unschedulable') refusal = withPlugin(status, plugin.name);
    else if (status !== undefined) return { status: final(status, plugin.name), plugins: [] };
    else if (named !== undefined) {
      naming.push(plugin.name);
      result = merge(result, named);
      if (result.nodeNames.size === 0) return { result, status: noneLeft(naming.sort()), plugins: naming };
    }
  }
  return {
    ...defined({ result, status: refusal }),
    plugins: naming.sort(),
  };
}

function preFilter(
  plugin: With<'preFilter'>,
  state: CycleState,
  pod: PodInfo,
  nodes: readonly NodeInfo[],
): PreFiltered {
  try {
    return plugin.preFilter(state, pod, nodes);
  } catch (error) {
    return { status: errorStatus(messageOfError(error)) };
  }
}

const final = (status: Status, plugin: string): Status =>
  status.code === 'UnschedulableAndUnresolvable'
    ? withPlugin(status, plugin)
    : errorStatus(`running PreFilter plugin ${quote(plugin)}: ${messageOf(status)}`, plugin);

const merge = (known: PreFilterResult | undefined, more: PreFilterResult): PreFilterResult =>
  known === undefined ? more : { nodeNames: known.nodeNames.intersection(more.nodeNames) };

const noneLeft = (plugins: readonly string[]): Status =>
  newStatus(
    'UnschedulableAndUnresolvable',
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${plugins[0]}`
      : `node(s) didn't satisfy plugin(s) [${plugins.join(' ')}] simultaneously`,
  );

/** A pod that is added to or removed from a node in a trial. */
export interface Supposed {
  readonly state: CycleState;
  readonly pod: PodInfo;
  /** The added or removed pod. */
  readonly other: PodInfo;
  readonly node: NodeInfo;
}

/** Runs the AddPod extensions of PreFilter plugins. */
export const runAddPod = (plugins: ExtensionPoints['preFilter'], { state, pod, other, node }: Supposed): Outcome =>
  runExtensions(plugins, state, 'AddPod', (extensions) => extensions.addPod(state, pod, other, node));

/** Runs the RemovePod extensions of PreFilter plugins. */
export const runRemovePod = (plugins: ExtensionPoints['preFilter'], { state, pod, other, node }: Supposed): Outcome =>
  runExtensions(plugins, state, 'RemovePod', (extensions) => extensions.removePod(state, pod, other, node));

function runExtensions(
  plugins: ExtensionPoints['preFilter'],
  state: CycleState,
  name: string,
  run: (extensions: PreFilterExtensions) => Outcome,
): Outcome {
  for (const plugin of plugins) {
    const { preFilterExtensions } = plugin;
    if (preFilterExtensions === undefined || state.skipFilter.has(plugin.name)) continue;
    const status = outcomeOf(() => run(preFilterExtensions));
    if (status !== undefined)
      return errorStatus(`running ${name} on PreFilter plugin ${quote(plugin.name)}: ${messageOf(status)}`);
  }
  return undefined;
}
