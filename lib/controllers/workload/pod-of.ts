import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at } from '#lib/machinery/unstructured.ts';

/** The pod of a template: upstream's GetPodFromTemplate. */
export function podOf(owner: JsonObject, reference: JsonObject): JsonObject {
  const template = at(owner, 'spec', 'template') ?? {};
  const { labels, annotations, finalizers } = metadataOf(template);
  const name = nameOf(owner);
  return {
    metadata: {
      namespace: namespaceOf(owner),
      generateName: name.length < 253 ? `${name}-` : name,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [reference],
    },
    spec: objectAt(template, 'spec') ?? {},
  };
}
