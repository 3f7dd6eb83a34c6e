import type { PluginRef, PluginSet, PluginSets } from '../../framework/runtime/extension-points.ts';

/** The plugins that are enabled by default, in the order in which they run. */
export const DEFAULT_PLUGINS: readonly PluginRef[] = [
  { name: 'SchedulingGates' },
  { name: 'PrioritySort' },
  { name: 'NodeUnschedulable' },
  { name: 'NodeName' },
  { name: 'TaintToleration', weight: 3 },
  { name: 'NodeAffinity', weight: 2 },
  { name: 'NodePorts' },
  { name: 'NodeResourcesFit', weight: 1 },
  { name: 'VolumeRestrictions' },
  { name: 'NodeVolumeLimits' },
  { name: 'VolumeBinding' },
  { name: 'VolumeZone' },
  { name: 'PodTopologySpread', weight: 2 },
  { name: 'InterPodAffinity', weight: 2 },
  { name: 'DynamicResources', weight: 2 }, // runs before preemption: releasing an idle claim is cheaper than evicting a pod
  { name: 'DefaultPreemption' },
  { name: 'NodeResourcesBalancedAllocation', weight: 1 },
  { name: 'ImageLocality', weight: 1 },
  { name: 'DefaultBinder' },
  { name: 'NodeDeclaredFeatures' },
];

const NONE: PluginSet = { enabled: [], disabled: [] };
/** Merges the plugins of a profile with the defaults: upstream's mergePlugins. */
export function mergePlugins(defaults: readonly PluginRef[], given: Partial<PluginSets>): PluginSets {
  const of = (point: keyof PluginSets): PluginSet => mergeSet([], given[point] ?? NONE);
  return {
    multiPoint: mergeSet(defaults, given.multiPoint ?? NONE),
    preEnqueue: of('preEnqueue'),
    queueSort: of('queueSort'),
    preFilter: of('preFilter'),
    filter: of('filter'),
    postFilter: of('postFilter'),
    preScore: of('preScore'),
    score: of('score'),
    reserve: of('reserve'),
    permit: of('permit'),
    preBind: of('preBind'),
    bind: of('bind'),
    postBind: of('postBind'),
  };
}

/** A default plugin that the profile also enables keeps its position and takes the profile's settings. */
function mergeSet(defaults: readonly PluginRef[], { enabled, disabled }: PluginSet): PluginSet {
  const off = new Set(disabled.map(({ name }) => name));
  const given = new Map(enabled.map((plugin) => [plugin.name, plugin]));
  const kept = off.has('*') ? [] : defaults.filter(({ name }) => !off.has(name));
  const replaced = new Set(kept.flatMap(({ name }) => given.get(name) ?? []));
  return {
    enabled: [
      ...kept.map((plugin) => given.get(plugin.name) ?? plugin),
      ...enabled.filter((one) => !replaced.has(one)),
    ],
    disabled,
  };
}
