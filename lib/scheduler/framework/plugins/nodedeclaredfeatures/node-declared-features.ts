import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { flag, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { Plugin } from '../../interface.ts';
import { newStatus, SKIP } from '../../status.ts';

type Asks = (spec: JsonObject) => boolean;

const restartsAll: Asks = (spec) =>
  [...items(spec, 'containers'), ...items(spec, 'initContainers')]
    .flatMap((container) => items(container, 'restartPolicyRules'))
    .some((rule) => text(rule, 'action') === 'RestartAllContainers');

const sharesHostNetworkOnly: Asks = (spec) => flag(spec, 'hostNetwork') === true && flag(spec, 'hostUsers') === false;

/** What a pod asks of its node from the start, by the name under which nodes declare it. */
const FEATURES: readonly (readonly [name: string, isAsked: Asks])[] = [
  ['RestartAllContainersOnContainerExits', restartsAll],
  ['UserNamespacesHostNetworkSupport', sharesHostNetworkOnly],
];

function featuresAskedBy(pod: JsonObject | undefined): string[] {
  const spec = objectAt(pod, 'spec') ?? {};
  return FEATURES.filter(([, isAsked]) => isAsked(spec)).map(([name]) => name);
}

const declaredBy = (node: JsonObject | undefined): string[] => texts(objectAt(node, 'status'), 'declaredFeatures');

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

/** A pod goes to nodes that say they can do what it asks for (KEP-5328). */
export const nodeDeclaredFeatures = (): Plugin => ({
  name: 'NodeDeclaredFeatures',
  eventsToRegister: () => [
    {
      event: { resource: 'Node', actions: ['Add', 'UpdateNodeDeclaredFeature'] },
      hint: (_pod, { before, after }) => before === undefined || !isSame(declaredBy(before), declaredBy(after)),
    },
    {
      event: { resource: 'Pod', actions: ['Update'] },
      hint: (pod, { before, after }) =>
        after !== undefined && uidOf(after) === uidOf(pod) && !isSame(featuresAskedBy(before), featuresAskedBy(after)),
    },
  ],
  preFilter: (_state, { pod }) => (featuresAskedBy(pod).length === 0 ? { status: SKIP } : {}),
  filter(_state, { pod }, { node }) {
    const declared = declaredBy(node);
    if (featuresAskedBy(pod).every((name) => declared.includes(name))) return undefined;
    return newStatus('UnschedulableAndUnresolvable', "node(s) didn't match Pod's required features");
  },
});
