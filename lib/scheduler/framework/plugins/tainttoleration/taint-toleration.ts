import {
  findUntoleratedTaint,
  taintsOf,
  tolerated,
  tolerationsOf,
} from '#lib/component-helpers/scheduling/corev1/taints.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { StateKey } from '../../cycle-state.ts';
import { immutable, type ImmutableState } from '../shared/immutable-state.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';
import { normalizeScores } from '../shared/normalize-score.ts';

const FORBIDDING = ['NoSchedule', 'NoExecute'];
const AVOIDED = 'PreferNoSchedule';

/** Tolerations that may concern taints which are only to be avoided. */
const KEY: StateKey<ImmutableState<readonly JsonObject[]>> = { name: 'PreScoreTaintToleration' };

const isRepelled = (pod: JsonObject, node: JsonObject): boolean =>
  findUntoleratedTaint(node, tolerationsOf(pod), FORBIDDING) !== undefined;

const tolerationsOfAvoided = (pod: JsonObject): readonly JsonObject[] =>
  tolerationsOf(pod).filter((one) => ['', AVOIDED].includes(text(one, 'effect')));

/** Taints keep away pods that do not tolerate them, or have them come last. */
export const taintToleration = (): Plugin => ({
  name: 'TaintToleration',
  eventsToRegister: () => [
    {
      event: { resource: 'Node', actions: ['Add', 'UpdateNodeTaint'] },
      hint: (pod, { before, after }) =>
        after !== undefined && !isRepelled(pod, after) && (before === undefined || isRepelled(pod, before)),
    },
    {
      event: { resource: 'Pod', actions: ['UpdatePodToleration'] },
      hint: (pod, { after }) => after !== undefined && uidOf(after) === uidOf(pod),
    },
  ],
  filter(_state, { pod }, { node }) {
    if (!isRepelled(pod, node)) return undefined;
    return newStatus('UnschedulableAndUnresolvable', 'node(s) had untolerated taint(s)');
  },
  preScore: (state, { pod }) => void state.write(KEY, immutable(tolerationsOfAvoided(pod))),
  score(state, { pod }, { node }) {
    const tolerations = state.read(KEY)?.value ?? tolerationsOfAvoided(pod);
    return taintsOf(node).filter((taint) => text(taint, 'effect') === AVOIDED && !tolerated(taint, tolerations)).length;
  },
  normalizeScore: (_state, _pod, scores) => normalizeScores(scores, { reverse: true }),
});
