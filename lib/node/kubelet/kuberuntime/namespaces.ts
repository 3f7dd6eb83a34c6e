import type { Pod } from '#lib/api/types/core.v1.ts';
import { NamespaceMode, type NamespaceOption } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeHelper } from '../container/runtime.ts';

/** The network namespace that a pod requires. If its sandbox has another one, it needs a new sandbox. */
export const networkNamespaceForPod = ({ spec }: Pod): NamespaceOption['network'] =>
  spec.hostNetwork === true ? NamespaceMode.NODE : NamespaceMode.POD;

function pidNamespaceForPod({ spec }: Pod): NamespaceOption['pid'] {
  if (spec.hostPID === true) return NamespaceMode.NODE;
  return spec.shareProcessNamespace === true ? NamespaceMode.POD : NamespaceMode.CONTAINER;
}

/** The namespaces of a pod's sandbox and containers. Throws for a user namespace that the runtime does not support. */
export const namespacesForPod = (pod: Pod, helper: Pick<RuntimeHelper, 'userNamespace'>): NamespaceOption => ({
  ipc: pod.spec.hostIPC === true ? NamespaceMode.NODE : NamespaceMode.POD,
  network: networkNamespaceForPod(pod),
  pid: pidNamespaceForPod(pod),
  targetId: '',
  usernsOptions: helper.userNamespace(pod),
});
