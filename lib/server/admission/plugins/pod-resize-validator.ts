import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { generationOf, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import { parseQuantity, quantityMilliValue, quantityValue } from '#lib/machinery/resource/quantity.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const OS = 'kubernetes.io/os';

/** Rejects a resize beyond the allocatable resources of the pod's node. */
export function podResizeValidator(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'PodResizeValidator',
    operations: ['UPDATE'],
    about: ['/pods'],
    async validate(attributes) {
      if (!isAbout(attributes, PODS, 'resize')) return;
      const { object, oldObject } = attributes;
      const name = object?.spec.nodeName ?? '';
      if (object === undefined || oldObject === undefined || name === '') return;
      if (generationOf(object) === generationOf(oldObject)) return;
      const node = await lookup.find(NODES, name);
      if (node === undefined) throw refusal(attributes, `node ${quote(name)} not found`);
      checkNode(attributes, object, node);
    },
  };
}

function checkNode(attributes: Attributes, pod: Pod, node: Node): void {
  const os = labelsOf(node)[OS] ?? 'linux';
  const why = `pod resize is only supported on linux nodes, node ${quote(nameOf(node))} is ${quote(os)}`;
  if (os !== 'linux') throw withCause(refusal(attributes, why), 'UnsupportedPlatform');
  const missing = beyondNode(pod, node);
  if (missing.length === 0) return;
  const short = `node didn't have enough allocatable resources: ${missing.join('; ')}`;
  throw withCause(refusal(attributes, short), 'NodeCapacity');
}

function beyondNode(pod: Pod, node: Node): string[] {
  const requests = podResources({ ...pod, status: {} }, 'requests');
  return ['cpu', 'memory'].flatMap((name) => {
    const asked = requests.get(name) ?? '0';
    const there = ownField(node.status.allocatable, name) ?? '0';
    if (compareQuantities(asked, there) <= 0) return [];
    const value = name === 'cpu' ? quantityMilliValue : quantityValue;
    return [`${name}, requested: ${value(parseQuantity(asked))}, allocatable: ${value(parseQuantity(there))}`];
  });
}

const withCause = ({ reason, message, details }: StatusError, cause: string): StatusError =>
  new StatusError(reason, message, { ...details, causes: [{ reason: cause }] });
