import type * as z from 'zod';
import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import type { Handle, Plugin, PluginFactory } from '../interface.ts';
import { defaultBinder } from './defaultbinder/default-binder.ts';
import { defaultPreemptionArgs, validateDefaultPreemptionArgs } from './defaultpreemption/args.ts';
import { defaultPreemption } from './defaultpreemption/default-preemption.ts';
import { dynamicResourcesArgs, validateDynamicResourcesArgs } from './dynamicresources/args.ts';
import { dynamicResources } from './dynamicresources/dynamic-resources.ts';
import { imageLocality } from './imagelocality/image-locality.ts';
import { interPodAffinityArgs, validateInterPodAffinityArgs } from './interpodaffinity/args.ts';
import { interPodAffinity } from './interpodaffinity/inter-pod-affinity.ts';
import { nodeAffinityArgs, validateNodeAffinityArgs } from './nodeaffinity/args.ts';
import { nodeAffinity } from './nodeaffinity/node-affinity.ts';
import { nodeDeclaredFeatures } from './nodedeclaredfeatures/node-declared-features.ts';
import { nodeName } from './nodename/node-name.ts';
import { nodePorts } from './nodeports/node-ports.ts';
import {
  nodeResourcesBalancedAllocationArgs,
  nodeResourcesFitArgs,
  validateNodeResourcesBalancedAllocationArgs,
  validateNodeResourcesFitArgs,
} from './noderesources/args.ts';
import { nodeResourcesBalancedAllocation } from './noderesources/balanced-allocation.ts';
import { nodeResourcesFit } from './noderesources/fit.ts';
import { nodeUnschedulable } from './nodeunschedulable/node-unschedulable.ts';
import { nodeVolumeLimits } from './nodevolumelimits/csi.ts';
import { podTopologySpreadArgs, validatePodTopologySpreadArgs } from './podtopologyspread/args.ts';
import { podTopologySpread } from './podtopologyspread/pod-topology-spread.ts';
import { prioritySort } from './queuesort/priority-sort.ts';
import { schedulingGates } from './schedulinggates/scheduling-gates.ts';
import { taintToleration } from './tainttoleration/taint-toleration.ts';
import { validateVolumeBindingArgs, volumeBindingArgs } from './volumebinding/args.ts';
import { volumeBinding } from './volumebinding/volume-binding.ts';
import { volumeRestrictions } from './volumerestrictions/volume-restrictions.ts';
import { volumeZone } from './volumezone/volume-zone.ts';

/** A plugin with its arguments. */
export interface ConfiguredPlugin {
  readonly errors: readonly FieldError[];
  make(handle: Handle): Plugin;
}

/** Creates a plugin from its arguments, with upstream's defaults for absent ones. Throws z.ZodError for arguments of another shape. */
export type Registered = (args: unknown, path: FieldPath) => ConfiguredPlugin;

const plain =
  (factory: (args: undefined, handle: Handle) => Plugin): Registered =>
  () => ({ errors: [], make: (handle) => factory(undefined, handle) });

const withArgs =
  <S extends z.ZodType>(
    schema: S,
    validate: (args: z.output<S>, path: FieldPath) => FieldError[],
    factory: PluginFactory<z.output<S>>,
  ): Registered =>
  (given, path) => {
    const args = schema.parse(given ?? {});
    return { errors: validate(args, path), make: (handle) => factory(args, handle) };
  };

/** Upstream's plugins by name. */
export const IN_TREE: ReadonlyMap<string, Registered> = new Map([
  ['DefaultBinder', plain(defaultBinder)],
  ['DefaultPreemption', withArgs(defaultPreemptionArgs, validateDefaultPreemptionArgs, defaultPreemption)],
  ['DynamicResources', withArgs(dynamicResourcesArgs, validateDynamicResourcesArgs, dynamicResources)],
  ['ImageLocality', plain(imageLocality)],
  ['InterPodAffinity', withArgs(interPodAffinityArgs, validateInterPodAffinityArgs, interPodAffinity)],
  ['NodeAffinity', withArgs(nodeAffinityArgs, validateNodeAffinityArgs, nodeAffinity)],
  ['NodeDeclaredFeatures', plain(nodeDeclaredFeatures)],
  ['NodeName', plain(nodeName)],
  ['NodePorts', plain(nodePorts)],
  [
    'NodeResourcesBalancedAllocation',
    withArgs(
      nodeResourcesBalancedAllocationArgs,
      validateNodeResourcesBalancedAllocationArgs,
      nodeResourcesBalancedAllocation,
    ),
  ],
  ['NodeResourcesFit', withArgs(nodeResourcesFitArgs, validateNodeResourcesFitArgs, nodeResourcesFit)],
  ['NodeUnschedulable', plain(nodeUnschedulable)],
  ['NodeVolumeLimits', plain(nodeVolumeLimits)],
  ['PodTopologySpread', withArgs(podTopologySpreadArgs, validatePodTopologySpreadArgs, podTopologySpread)],
  ['PrioritySort', plain(prioritySort)],
  ['SchedulingGates', plain(schedulingGates)],
  ['TaintToleration', plain(taintToleration)],
  ['VolumeBinding', withArgs(volumeBindingArgs, validateVolumeBindingArgs, volumeBinding)],
  ['VolumeRestrictions', plain(volumeRestrictions)],
  ['VolumeZone', plain(volumeZone)],
]);
