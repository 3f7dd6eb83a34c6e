import { arrayAt } from '#lib/machinery/json-value.ts';
import { ensure, items, text } from '#lib/machinery/unstructured.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';

/** A new node takes no pods before something has seen that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  admit(attributes) {
    const { object } = attributes;
    if (!isAbout(attributes, '/nodes') || object === undefined) return;
    const spec = ensure(object, 'spec');
    const tainted = items(spec, 'taints').some(
      (taint) => text(taint, 'key') === NOT_READY && text(taint, 'effect') === 'NoSchedule',
    );
    if (!tainted) spec['taints'] = [...arrayAt(spec, 'taints'), { key: NOT_READY, effect: 'NoSchedule' }];
  },
};
