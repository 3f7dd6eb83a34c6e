import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

/** Adds tolerations to pods that request a device. They tolerate the taint that reserves the nodes with that device. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    if (!isAbout(attributes, PODS) || attributes.object === undefined) return;
    const { spec } = attributes.object;
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    const asked = containers.flatMap(({ resources }) => Object.keys(resources.requests ?? {}));
    for (const key of [...new Set(asked.filter(isExtendedResource))].sort()) tolerate(spec, key);
  },
};

function tolerate(spec: PodSpec, wantedKey: string): void {
  const given = spec.tolerations ?? [];
  const isTolerated = given.some(
    ({ key, operator, value = '', effect }) =>
      key === wantedKey && operator === 'Exists' && value === '' && effect === 'NoSchedule',
  );
  if (!isTolerated) spec.tolerations = [...given, { key: wantedKey, operator: 'Exists', effect: 'NoSchedule' }];
}
