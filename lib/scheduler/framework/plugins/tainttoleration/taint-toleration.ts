import type { Node, Pod, Toleration } from '#lib/api/types/core.v1.ts';
import { findUntoleratedTaint, tolerated } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { StateKey } from '../../cycle-state.ts';
import { clusterEvent } from '../../events.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus } from '../../status.ts';
import { type ImmutableState, immutable } from '../shared/immutable-state.ts';
import { normalizeScores } from '../shared/normalize-score.ts';

const FORBIDDING = ['NoSchedule', 'NoExecute'];
const AVOIDED = 'PreferNoSchedule';

/** The key of the pod's tolerations of PreferNoSchedule taints. */
const KEY: StateKey<ImmutableState<readonly Toleration[]>> = { name: 'PreScoreTaintToleration' };

const isRepelled = ({ spec }: Pod, node: Node): boolean =>
  findUntoleratedTaint(node, spec.tolerations ?? [], FORBIDDING) !== undefined;

const tolerationsOfAvoided = ({ spec: { tolerations = [] } }: Pod): readonly Toleration[] =>
  tolerations.filter(({ effect = '' }) => ['', AVOIDED].includes(effect));

/** Rejects nodes with taints that the pod does not tolerate, and scores nodes lower for PreferNoSchedule taints. */
export const taintToleration = (): Plugin => ({
  name: 'TaintToleration',
  eventsToRegister: () => [
    clusterEvent(
      'Node',
      ['Add', 'UpdateNodeTaint'],
      (pod, { before, after }) =>
        after !== undefined && !isRepelled(pod, after) && (before === undefined || isRepelled(pod, before)),
    ),
    clusterEvent(
      'Pod',
      ['UpdatePodToleration'],
      (pod, { after }) => after !== undefined && uidOf(after) === uidOf(pod),
    ),
  ],
  sign: ({ pod }) => pod.spec.tolerations ?? [],
  filter(_state, { pod }, { node }) {
    if (!isRepelled(pod, node)) return undefined;
    return newStatus('UnschedulableAndUnresolvable', 'node(s) had untolerated taint(s)');
  },
  preScore: (state, { pod }) => void state.write(KEY, immutable(tolerationsOfAvoided(pod))),
  score(state, { pod }, { node }) {
    const tolerations = state.read(KEY)?.value ?? tolerationsOfAvoided(pod);
    const { taints = [] } = node.spec;
    return taints.filter((taint) => taint.effect === AVOIDED && !tolerated(taint, tolerations)).length;
  },
  normalizeScore: (_state, _pod, scores) => normalizeScores(scores, { reverse: true }),
});
