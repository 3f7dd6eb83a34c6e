import type { NodeSelector as ApiNodeSelector, Node, NodeAffinity, Pod } from '#lib/api/types/core.v1.ts';
import {
  type NodeSelector,
  type PreferredSchedulingTerms,
  requiredNodeAffinity,
  selectableNode,
} from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import { aggregate } from '#lib/machinery/validation/field.ts';
import type { StateKey } from '../../cycle-state.ts';
import { clusterEvent, type ObjectChange } from '../../events.ts';
import type { Plugin, PluginFactory, PreFiltered } from '../../interface.ts';
import { newStatus, SKIP } from '../../status.ts';
import { type ImmutableState, immutable } from '../shared/immutable-state.ts';
import { normalizeScores } from '../shared/normalize-score.ts';
import { type AddedAffinity, addedAffinity, type NodeAffinityArgs, preferredTerms } from './args.ts';
import { namedNodes } from './named-nodes.ts';

const REQUIRED_STATE: StateKey<ImmutableState<NodeSelector>> = { name: 'PreFilterNodeAffinity' };
const PREFERRED_STATE: StateKey<ImmutableState<PreferredSchedulingTerms | undefined>> = {
  name: 'PreScoreNodeAffinity',
};

const affinityOf = ({ spec }: Pod): NodeAffinity | undefined => spec.affinity?.nodeAffinity;
const preferredOf = (pod: Pod): PreferredSchedulingTerms | undefined =>
  preferredTerms(affinityOf(pod)?.preferredDuringSchedulingIgnoredDuringExecution);
const requiredOf = ({ spec }: Pod): NodeSelector => requiredNodeAffinity(spec);

/** Schedules a pod to nodes that match its nodeSelector, its node affinity, and the scheduler's added affinity. */
export const nodeAffinity: PluginFactory<NodeAffinityArgs> = (args): Plugin => {
  const added = addedAffinity(args);
  return {
    name: 'NodeAffinity',
    eventsToRegister: () => [
      clusterEvent('Node', ['Add', 'UpdateNodeLabel'], (pod, change) => mayHelp(added, pod, change)),
    ],
    preFilter(state, { pod }) {
      const required = affinityOf(pod)?.requiredDuringSchedulingIgnoredDuringExecution;
      const asksNothing = required === undefined && pod.spec.nodeSelector === undefined;
      if (asksNothing && added.required === undefined) return { status: SKIP };
      state.write(REQUIRED_STATE, immutable(requiredOf(pod)));
      return narrowed(required);
    },
    sign: ({ pod }) => [pod.spec.nodeSelector ?? null, affinityOf(pod) ?? null],
    filter(state, { pod }, node) {
      if (added.required?.matches(node) === false)
        return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match scheduler-enforced node affinity");
      const required = state.read(REQUIRED_STATE)?.value ?? requiredOf(pod);
      if (required.matches(node)) return undefined;
      return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match Pod's node affinity/selector");
    },
    preScore(state, { pod }) {
      const preferred = preferredOf(pod);
      if (preferred !== undefined && preferred.errors.length > 0)
        return newStatus('Error', aggregate(preferred.errors));
      if (preferred === undefined && added.preferred === undefined) return SKIP;
      state.write(PREFERRED_STATE, immutable(preferred));
      return undefined;
    },
    score(state, { pod }, node) {
      const known = state.read(PREFERRED_STATE);
      const preferred = known === undefined ? preferredOf(pod) : known.value;
      return (added.preferred?.score(node) ?? 0) + (preferred?.score(node) ?? 0);
    },
    normalizeScore: (_state, _pod, scores) => normalizeScores(scores, { reverse: false }),
  };
};

function narrowed(required: ApiNodeSelector | undefined): PreFiltered {
  const nodeNames = namedNodes(required?.nodeSelectorTerms ?? []);
  if (nodeNames === undefined) return {};
  if (nodeNames.size > 0) return { result: { nodeNames } };
  return { status: newStatus('UnschedulableAndUnresolvable', 'pod affinity terms conflict') };
}

/** Whether a new or changed node may fit the pod. A pod whose affinity cannot be parsed is retried. */
function mayHelp(added: AddedAffinity, pod: Pod, { before, after }: ObjectChange<Node>): boolean {
  if (after === undefined || added.required?.matches(selectableNode(after)) === false) return false;
  const required = requiredOf(pod);
  if (!required.matches(selectableNode(after))) return required.errors.length > 0;
  return before === undefined || !required.matches(selectableNode(before));
}
