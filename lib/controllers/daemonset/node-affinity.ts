import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text, texts } from '#lib/machinery/unstructured.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const NAME = 'metadata.name';

/** The affinity of a pod that is for one node. Other requirements were looked at before, and give way. */
export function affinityTo(node: string, affinity: JsonObject | undefined): JsonObject {
  const nodeAffinity = objectAt(affinity, 'nodeAffinity');
  const terms = [{ matchFields: [{ key: NAME, operator: 'In', values: [node] }] }];
  const required = { ...objectAt(nodeAffinity, REQUIRED), nodeSelectorTerms: terms };
  return { ...affinity, nodeAffinity: { ...nodeAffinity, [REQUIRED]: required } };
}

/** The node that a pod is on, or is for; undefined where it does not tell. */
export function targetOf(pod: JsonObject): string | undefined {
  const spec = objectAt(pod, 'spec');
  const name = text(spec, 'nodeName');
  if (name !== '') return name;
  const terms = items(at(spec, 'affinity', 'nodeAffinity', REQUIRED), 'nodeSelectorTerms');
  const field = terms
    .flatMap((term) => items(term, 'matchFields'))
    .find((one) => text(one, 'key') === NAME && text(one, 'operator') === 'In');
  const values = texts(field, 'values');
  return values.length === 1 ? values[0] : undefined;
}
