import type { Node, Pod, PodSpec } from '#lib/api/types/core.v1.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { clusterEvent } from '../../events.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus, SKIP } from '../../status.ts';

type Asks = (spec: PodSpec) => boolean;

const restartsAll: Asks = ({ containers, initContainers = [] }) =>
  [...(containers ?? []), ...initContainers]
    .flatMap(({ restartPolicyRules = [] }) => restartPolicyRules)
    .some(({ action }) => action === 'RestartAllContainers');

const sharesHostNetworkOnly: Asks = ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false;

/** The features that a pod may need, by the names under which nodes declare them. */
const FEATURES: readonly (readonly [name: string, isAsked: Asks])[] = [
  ['RestartAllContainersOnContainerExits', restartsAll],
  ['UserNamespacesHostNetworkSupport', sharesHostNetworkOnly],
];

const featuresAskedBy = (pod: Pod | undefined): string[] =>
  FEATURES.filter(([, isAsked]) => pod !== undefined && isAsked(pod.spec)).map(([name]) => name);

const declaredBy = (node: Node | undefined): string[] => node?.status.declaredFeatures ?? [];

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

/** Schedules a pod to nodes that declare the features it needs (KEP-5328). */
export const nodeDeclaredFeatures = (): Plugin => ({
  name: 'NodeDeclaredFeatures',
  eventsToRegister: () => [
    clusterEvent(
      'Node',
      ['Add', 'UpdateNodeDeclaredFeature'],
      (_pod, { before, after }) => before === undefined || !isSame(declaredBy(before), declaredBy(after)),
    ),
    clusterEvent(
      'Pod',
      ['Update'],
      (pod, { before, after }) =>
        after !== undefined && uidOf(after) === uidOf(pod) && !isSame(featuresAskedBy(before), featuresAskedBy(after)),
    ),
  ],
  preFilter: (_state, { pod }) => (featuresAskedBy(pod).length === 0 ? { status: SKIP } : {}),
  sign: ({ pod }) => featuresAskedBy(pod),
  filter(_state, { pod }, { node }) {
    const declared = declaredBy(node);
    if (featuresAskedBy(pod).every((name) => declared.includes(name))) return undefined;
    return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match Pod's required features");
  },
});
