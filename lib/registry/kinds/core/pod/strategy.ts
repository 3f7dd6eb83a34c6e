import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag, integer, items, text } from '#lib/machinery/unstructured.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { POD_HOSTNAME, labelNameWarnings } from '../../shared/names.ts';
import { keepField } from '../../shared/status.ts';
import { defaultPod } from './defaults.ts';
import { dropDisabledFields } from './dropped-fields.ts';
import { podValidationOptions } from './options.ts';
import { prepareForCreate } from './prepare.ts';
import { ephemeralContainersStrategy, resizeStrategy, statusStrategy } from './subresources.ts';
import { validatePodCreate } from './validation/pod.ts';
import { validatePodUpdate } from './validation/update.ts';
import { podWarnings } from './warnings.ts';

/** What a pod may take to end: nothing where no kubelet has it or its containers have ended. */
function gracePeriod(pod: JsonObject, asked?: number): number {
  const spec = objectAt(pod, 'spec');
  const phase = text(objectAt(pod, 'status'), 'phase');
  if (text(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = asked ?? Number(integer(spec, 'terminationGracePeriodSeconds') ?? 0);
  return seconds < 0 ? 1 : seconds;
}

function selectableFields(pod: JsonObject): Record<string, string> {
  const spec = objectAt(pod, 'spec');
  const status = objectAt(pod, 'status');
  const ip = text(items(status, 'podIPs')[0], 'ip');
  return {
    'spec.nodeName': text(spec, 'nodeName'),
    'spec.restartPolicy': text(spec, 'restartPolicy'),
    'spec.schedulerName': text(spec, 'schedulerName'),
    'spec.serviceAccountName': text(spec, 'serviceAccountName'),
    'spec.hostNetwork': String(flag(spec, 'hostNetwork') === true),
    'status.phase': text(status, 'phase'),
    'status.podIP': ip,
    'status.podIPs': ip,
    'status.nominatedNodeName': text(status, 'nominatedNodeName'),
  };
}

/** Upstream's pkg/registry/core/pod. */
export const podStrategy: KindStrategy = {
  default: defaultPod,
  prepareForCreate,
  prepareForUpdate(pod, old) {
    keepField(pod, old, 'status');
    const spec = objectAt(pod, 'spec');
    if (spec !== undefined) dropDisabledFields(spec, objectAt(old, 'spec'));
  },
  validate: (pod) => validatePodCreate(pod, podValidationOptions(undefined, true)),
  validateUpdate: (pod, old) => validatePodUpdate(pod, old, podValidationOptions(old, true)),
  // Updates come from controllers and kubelets, which nobody reads warnings for.
  warnings: (pod, old) => (old === undefined ? [...labelNameWarnings(pod, POD_HOSTNAME), ...podWarnings(pod)] : []),
  gracePeriod,
  selectableFields,
  subresources: {
    status: statusStrategy,
    ephemeralcontainers: ephemeralContainersStrategy,
    resize: resizeStrategy,
  },
};
