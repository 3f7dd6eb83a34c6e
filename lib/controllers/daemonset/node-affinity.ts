import type { Affinity, NodeSelector, Pod } from '#lib/api/types/core.v1.ts';

const NAME = 'metadata.name';

/** The affinity that binds a pod to one node. It replaces other requirements, which were checked before. */
export function affinityTo(node: string, affinity: Affinity | undefined): Affinity {
  const required: NodeSelector = {
    nodeSelectorTerms: [{ matchFields: [{ key: NAME, operator: 'In', values: [node] }] }],
  };
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...affinity, nodeAffinity };
}

/** The node that a pod runs on or is bound to. Undefined if the pod names none. */
export function targetOf({ spec: { nodeName: name = '', affinity } }: Pod): string | undefined {
  if (name !== '') return name;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === NAME && operator === 'In');
  const { values = [] } = field ?? {};
  return values.length === 1 ? values[0] : undefined;
}
