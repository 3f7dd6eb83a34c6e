import { setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { at, ensure, text } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';

const NODES = { group: '', resource: 'nodes' };
const LABELS = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/** A pod carries the zone and region of the node that it comes to: at binding, or where it is created with a node. */
export function podTopologyLabels(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'PodTopologyLabels',
    operations: ['CREATE'],
    about: ['/pods'],
    async admit(attributes) {
      const { object } = attributes;
      const name = object === undefined ? '' : nodeOf(attributes, object);
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

function nodeOf({ resource, subresource }: Attributes, object: JsonObject): string {
  if (resource.group !== '' || resource.resource !== 'pods') return '';
  if (subresource === '') return text(at(object, 'spec'), 'nodeName');
  const target = at(object, 'target');
  return subresource === 'binding' && text(target, 'kind') === 'Node' ? text(target, 'name') : '';
}
