import { PODS } from '#lib/api/types/resources.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const HOST = 'kubernetes.io/hostname';

/** Allows required anti-affinity only by host, not by zone or another topology. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    if (!isAbout(attributes, PODS)) return;
    const affinity = attributes.object?.spec.affinity?.podAntiAffinity;
    for (const { topologyKey: key } of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (key === HOST) continue;
      const why = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key} but only key ${HOST} is allowed`;
      throw refusal(attributes, why);
    }
  },
};
