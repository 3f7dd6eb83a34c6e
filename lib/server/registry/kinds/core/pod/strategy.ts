import type { Pod } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { labelNameWarnings, POD_HOSTNAME } from '../../shared/names.ts';
import { keepField } from '../../shared/status.ts';
import { defaultPod } from './defaults.ts';
import { dropDisabledFields } from './dropped-fields.ts';
import { podValidationOptions } from './options.ts';
import { prepareForCreate } from './prepare.ts';
import { ephemeralContainersStrategy, resizeStrategy, statusStrategy } from './subresources.ts';
import { validatePodCreate } from './validation/pod.ts';
import { validatePodUpdate } from './validation/update.ts';
import { podWarnings } from './warnings.ts';

/** The grace period in seconds. 0 if the pod is not on a node or its containers have terminated. */
function gracePeriod(pod: Pod, asked?: number): number {
  const { spec } = pod;
  if (nodeNameOf(pod) === '' || isPodTerminal(pod)) return 0;
  const seconds = asked ?? Number(spec.terminationGracePeriodSeconds ?? 0);
  return seconds < 0 ? 1 : seconds;
}

function selectableFields({ spec, status }: Pod): Record<string, string> {
  const ip = status.podIPs?.[0]?.ip ?? '';
  return {
    'spec.nodeName': spec.nodeName ?? '',
    'spec.restartPolicy': spec.restartPolicy ?? '',
    'spec.schedulerName': spec.schedulerName ?? '',
    'spec.serviceAccountName': spec.serviceAccountName ?? '',
    'spec.hostNetwork': String(spec.hostNetwork === true),
    'status.phase': status.phase ?? '',
    'status.podIP': ip,
    'status.podIPs': ip,
    'status.nominatedNodeName': status.nominatedNodeName ?? '',
  };
}

/** Upstream's pkg/registry/core/pod. */
export const podStrategy: KindStrategy<Pod> = {
  default: defaultPod,
  prepareForCreate,
  prepareForUpdate(pod, old) {
    keepField(pod, old, 'status');
    dropDisabledFields(pod.spec, old.spec);
  },
  validate: (pod) => validatePodCreate(pod, podValidationOptions(undefined, true)),
  validateUpdate: (pod, old) => validatePodUpdate(pod, old, podValidationOptions(old, true)),
  // Updates come from controllers and kubelets, which do not show warnings.
  warnings: (pod, old) => (old === undefined ? [...labelNameWarnings(pod, POD_HOSTNAME), ...podWarnings(pod)] : []),
  gracePeriod,
  selectableFields,
  subresources: {
    status: statusStrategy,
    ephemeralcontainers: ephemeralContainersStrategy,
    resize: resizeStrategy,
  },
};
