import type { Affinity, NodeSelector, Pod } from '#lib/api/types/core.v1.ts';

const NAME = 'metadata.name';

/** The affinity of a pod that is for one node. Other requirements were looked at before, and give way. */
export function affinityTo(node: string, affinity: Affinity | undefined): Affinity {
  const required: NodeSelector = {
    nodeSelectorTerms: [{ matchFields: [{ key: NAME, operator: 'In', values: [node] }] }],
  };
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...affinity, nodeAffinity };
}

/** The node that a pod is on, or is for; undefined where it does not tell. */
export function targetOf({ spec: { nodeName: name = '', affinity } }: Pod): string | undefined {
  if (name !== '') return name;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === NAME && operator === 'In');
  const { values = [] } = field ?? {};
  return values.length === 1 ? values[0] : undefined;
}
