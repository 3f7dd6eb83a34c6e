import type { Pod } from '#lib/api/types/core.v1.ts';
import { podQOS } from '#lib/server/registry/kinds/core/pod/qos.ts';
import type { KubeletPorts } from './kubelet-ports.ts';

/** Fails a pod that the node does not admit, with the reason (upstream: rejectPod). */
export function rejectPod(
  { recorder, statusManager }: Pick<KubeletPorts, 'recorder' | 'statusManager'>,
  pod: Pod,
  reason: string,
  message: string,
): void {
  recorder.event(pod, 'Warning', reason, message);
  const said = { reason, message: `Pod was rejected: ${message}` };
  statusManager.setPodStatus(pod, { phase: 'Failed', qosClass: podQOS(pod.spec), ...said });
}
