import {
  requiredNodeAffinity,
  selectableNode,
  type NodeSelector,
  type PreferredSchedulingTerms,
} from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, items } from '#lib/machinery/unstructured.ts';
import { aggregate } from '#lib/machinery/validation/field.ts';
import type { StateKey } from '../../cycle-state.ts';
import type { Plugin, PluginFactory, PreFiltered } from '../../interface.ts';
import { newStatus, SKIP } from '../../status.ts';
import { immutable, type ImmutableState } from '../shared/immutable-state.ts';
import { normalizeScores } from '../shared/normalize-score.ts';
import { addedAffinity, preferredTerms, REQUIRED, type AddedAffinity, type NodeAffinityArgs } from './args.ts';
import { namedNodes } from './named-nodes.ts';

const REQUIRED_STATE: StateKey<ImmutableState<NodeSelector>> = { name: 'PreFilterNodeAffinity' };
const PREFERRED_STATE: StateKey<ImmutableState<PreferredSchedulingTerms | undefined>> = {
  name: 'PreScoreNodeAffinity',
};

const affinityOf = (pod: JsonObject): JsonObject | undefined => at(pod, 'spec', 'affinity', 'nodeAffinity');
const requiredOf = (pod: JsonObject): NodeSelector => requiredNodeAffinity(objectAt(pod, 'spec'));

/** Pods go where their nodeSelector and node affinity say, and the scheduler's own configuration. */
export const nodeAffinity: PluginFactory<NodeAffinityArgs> = (args): Plugin => {
  const added = addedAffinity(args);
  return {
    name: 'NodeAffinity',
    eventsToRegister: () => [
      {
        event: { resource: 'Node', actions: ['Add', 'UpdateNodeLabel'] },
        hint: (pod, change) => mayHelp(added, pod, change),
      },
    ],
    preFilter(state, { pod }) {
      const required = objectAt(affinityOf(pod), REQUIRED);
      const asksNothing = required === undefined && !has(objectAt(pod, 'spec'), 'nodeSelector');
      if (asksNothing && added.required === undefined) return { status: SKIP };
      state.write(REQUIRED_STATE, immutable(requiredOf(pod)));
      return narrowed(required);
    },
    filter(state, { pod }, node) {
      if (added.required?.matches(node) === false)
        return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match scheduler-enforced node affinity");
      const required = state.read(REQUIRED_STATE)?.value ?? requiredOf(pod);
      if (required.matches(node)) return undefined;
      return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match Pod's node affinity/selector");
    },
    preScore(state, { pod }) {
      const preferred = preferredTerms(affinityOf(pod));
      if (preferred !== undefined && preferred.errors.length > 0)
        return newStatus('Error', aggregate(preferred.errors));
      if (preferred === undefined && added.preferred === undefined) return SKIP;
      state.write(PREFERRED_STATE, immutable(preferred));
      return undefined;
    },
    score(state, { pod }, node) {
      const known = state.read(PREFERRED_STATE);
      const preferred = known === undefined ? preferredTerms(affinityOf(pod)) : known.value;
      return (added.preferred?.score(node) ?? 0) + (preferred?.score(node) ?? 0);
    },
    normalizeScore: (_state, _pod, scores) => normalizeScores(scores, { reverse: false }),
  };
};

function narrowed(required: JsonObject | undefined): PreFiltered {
  const nodeNames = namedNodes(items(required, 'nodeSelectorTerms'));
  if (nodeNames === undefined) return {};
  if (nodeNames.size > 0) return { result: { nodeNames } };
  return { status: newStatus('UnschedulableAndUnresolvable', 'pod affinity terms conflict') };
}

/** What cannot be parsed is tried. */
function mayHelp(
  added: AddedAffinity,
  pod: JsonObject,
  { before, after }: { readonly before?: JsonObject; readonly after?: JsonObject },
): boolean {
  if (after === undefined || added.required?.matches(selectableNode(after)) === false) return false;
  const required = requiredOf(pod);
  if (!required.matches(selectableNode(after))) return required.errors.length > 0;
  return before === undefined || !required.matches(selectableNode(before));
}
