import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, items, text } from '#lib/machinery/unstructured.ts';
import { quantities } from '#lib/machinery/resource/quantities.ts';
import { isExtendedResource } from '#lib/component-helpers/resource/resource-names.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

const FIELDS = ['key', 'operator', 'value', 'effect'];

/** Pods that ask for a device tolerate the taint that keeps others off the nodes that have it. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    const { object } = attributes;
    if (!isAbout(attributes, '/pods') || object === undefined) return;
    const spec = ensure(object, 'spec');
    const asked = ['containers', 'initContainers']
      .flatMap((list) => items(spec, list))
      .flatMap((container) => quantities(objectAt(container, 'resources'), 'requests').map(([name]) => name));
    for (const key of [...new Set(asked.filter(isExtendedResource))].sort()) tolerate(spec, key);
  },
};

function tolerate(spec: JsonObject, key: string): void {
  const wanted: JsonObject = { key, operator: 'Exists', effect: 'NoSchedule' };
  const given = items(spec, 'tolerations');
  const others = given.filter((one) => FIELDS.some((field) => text(one, field) !== text(wanted, field)));
  if (others.length === given.length) spec['tolerations'] = [...given, wanted];
}
