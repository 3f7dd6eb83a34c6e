import type { PodSpec, PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import type { ObjectMeta, OwnerReference } from '#lib/api/types/meta.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';

/** An owner whose spec has a pod template. */
export type Templated = JsonObject & { spec: { template?: PodTemplateSpec } };

/** A pod to create. */
export type NewPod = { metadata: ObjectMeta; spec: PodSpec };

/** The pod of an owner's template: upstream's GetPodFromTemplate. */
export function podOf(owner: Templated, reference: OwnerReference): NewPod {
  const { template } = owner.spec;
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  const name = nameOf(owner);
  return {
    metadata: {
      namespace: namespaceOf(owner),
      generateName: name.length < 253 ? `${name}-` : name,
      ...defined({ labels, annotations, finalizers }),
      ownerReferences: [reference],
    },
    spec: template?.spec ?? { containers: null },
  };
}
