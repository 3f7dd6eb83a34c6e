import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { escapeHtml } from '#lib/machinery/go.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { hashContainer } from '../container/hash.ts';

/** Label with the pod's name. Node tools use these labels of sandboxes and containers to find those of a pod. */
export const POD_NAME_LABEL = 'io.kubernetes.pod.name';
/** The label with the pod's namespace. */
export const POD_NAMESPACE_LABEL = 'io.kubernetes.pod.namespace';
/** The label with the pod's uid. */
export const POD_UID_LABEL = 'io.kubernetes.pod.uid';
/** The label with the container's name in its pod. */
export const CONTAINER_NAME_LABEL = 'io.kubernetes.container.name';

/** Annotations of containers. A restarted kubelet uses them to stop the containers. */
export const CONTAINER_ANNOTATIONS = {
  hash: 'io.kubernetes.container.hash',
  restartCount: 'io.kubernetes.container.restartCount',
  terminationMessagePath: 'io.kubernetes.container.terminationMessagePath',
  terminationMessagePolicy: 'io.kubernetes.container.terminationMessagePolicy',
  preStopHandler: 'io.kubernetes.container.preStopHandler',
  ports: 'io.kubernetes.container.ports',
  podDeletionGracePeriod: 'io.kubernetes.pod.deletionGracePeriod',
  podTerminationGracePeriod: 'io.kubernetes.pod.terminationGracePeriod',
} as const;

/** Labels or annotations. */
export type Strings = Record<string, string>;

/** The labels of a pod's sandbox: the pod's labels, and its name, namespace and uid. */
export const newPodLabels = (pod: Pod): Strings => ({ ...pod.metadata.labels, ...podIdentity(pod) });

/** The annotations of a pod's sandbox: the pod's annotations. */
export const newPodAnnotations = (pod: Pod): Strings => ({ ...pod.metadata.annotations });

/** The labels of a container. */
export const newContainerLabels = (container: Container, pod: Pod): Strings => ({
  ...podIdentity(pod),
  [CONTAINER_NAME_LABEL]: container.name,
});

const podIdentity = ({ metadata: { name = '', namespace = '', uid = '' } }: Pod): Strings => ({
  [POD_NAME_LABEL]: name,
  [POD_NAMESPACE_LABEL]: namespace,
  [POD_UID_LABEL]: uid,
});

/** The annotations of a container. `extra` come from device plugins and never override the kubelet's own. */
export function newContainerAnnotations(
  container: Container,
  pod: Pod,
  { restartCount, extra }: { readonly restartCount: number; readonly extra: Readonly<Strings> },
): Strings {
  const { terminationMessagePath = '', terminationMessagePolicy = '', lifecycle, ports = [] } = container;
  const names = CONTAINER_ANNOTATIONS;
  const annotations: Strings = {
    ...extra,
    [names.hash]: hashContainer(container),
    [names.restartCount]: String(restartCount),
    [names.terminationMessagePath]: terminationMessagePath,
    [names.terminationMessagePolicy]: terminationMessagePolicy,
  };
  const { deletionGracePeriodSeconds } = pod.metadata;
  const { terminationGracePeriodSeconds } = pod.spec;
  if (deletionGracePeriodSeconds !== undefined)
    annotations[names.podDeletionGracePeriod] = String(deletionGracePeriodSeconds);
  if (terminationGracePeriodSeconds !== undefined)
    annotations[names.podTerminationGracePeriod] = String(terminationGracePeriodSeconds);
  if (lifecycle?.preStop !== undefined) annotations[names.preStopHandler] = escapeHtml(encodeJson(lifecycle.preStop));
  if (ports.length > 0) annotations[names.ports] = escapeHtml(encodeJson(ports));
  return annotations;
}
