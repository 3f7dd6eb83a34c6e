import type { Binding } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { setField } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { ensure } from '#lib/machinery/unstructured.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

/** The subresource `binding` of pods, which accepts Bindings. */
const POD_BINDINGS: ResourceOf<Binding> = { group: '', version: 'v1', resource: 'pods' };
const LABELS = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/** Sets the zone and region labels of a pod's node on the pod, on binding or on a create with a node. */
export function podTopologyLabels(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    operations: ['CREATE'],
    about: ['/pods'],
    async admit(attributes) {
      const { object } = attributes;
      const name = nodeOf(attributes);
      const node = name === '' ? undefined : await lookup.find(NODES, name);
      if (object === undefined || node === undefined) return;
      const labels = labelsOf(node);
      for (const label of LABELS) {
        const value = labels[label];
        if (value !== undefined) setField(ensure(object, 'metadata', 'labels'), label, value);
      }
    },
  };
}

/** Returns the node with which the pod is created or to which it is bound. Empty if there is none. */
function nodeOf(attributes: Attributes): string {
  if (isAbout(attributes, PODS)) return attributes.object?.spec.nodeName ?? '';
  if (!isAbout(attributes, POD_BINDINGS, 'binding')) return '';
  const target = attributes.object?.target;
  return target?.kind === 'Node' ? (target.name ?? '') : '';
}
