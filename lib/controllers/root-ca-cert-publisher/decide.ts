import type { ConfigMap } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';

/** The name of the config map in each namespace. */
export const CONFIG_MAP = 'kube-root-ca.crt';

const DESCRIPTION = 'kubernetes.io/description';
const TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/** The config map of a namespace that has none. */
export function newConfigMap(namespace: string, authority: string): ConfigMap {
  return {
    metadata: { name: CONFIG_MAP, namespace, annotations: { [DESCRIPTION]: TEXT } },
    data: { 'ca.crt': authority },
  };
}

/** The config map with correct data and description. Undefined if it is up to date. */
export function corrected(current: ConfigMap, authority: string): ConfigMap | undefined {
  const data = { 'ca.crt': authority };
  const annotations = annotationsOf(current);
  if (equal(current.data, data) && (annotations[DESCRIPTION] ?? '') !== '') return undefined;
  const metadata = { ...current.metadata, annotations: { ...annotations, [DESCRIPTION]: TEXT } };
  return { ...current, metadata, data };
}
