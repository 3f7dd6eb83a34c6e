import { NODES } from '#lib/api/types/resources.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';

/** Taints a new node so that it receives no pods until a controller has seen that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  admit(attributes) {
    if (!isAbout(attributes, NODES) || attributes.object === undefined) return;
    const { spec } = attributes.object;
    const taints = spec.taints ?? [];
    const isTainted = taints.some(({ key, effect }) => key === NOT_READY && effect === 'NoSchedule');
    if (!isTainted) spec.taints = [...taints, { key: NOT_READY, effect: 'NoSchedule' }];
  },
};
