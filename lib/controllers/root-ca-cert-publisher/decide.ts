import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, metadataOf } from '#lib/machinery/meta.ts';

export const CONFIG_MAP = 'kube-root-ca.crt';

const DESCRIPTION = 'kubernetes.io/description';
const TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/** The config map of a namespace that has none. */
export function newConfigMap(namespace: string, authority: string): JsonObject {
  return {
    metadata: { name: CONFIG_MAP, namespace, annotations: { [DESCRIPTION]: TEXT } },
    data: { 'ca.crt': authority },
  };
}

/** The config map put right; undefined where it is right. */
export function corrected(current: JsonObject, authority: string): JsonObject | undefined {
  const data: JsonObject = { 'ca.crt': authority };
  const annotations = annotationsOf(current);
  if (equal(objectAt(current, 'data'), data) && (annotations[DESCRIPTION] ?? '') !== '') return undefined;
  const metadata: JsonObject = { ...metadataOf(current), annotations: { ...annotations, [DESCRIPTION]: TEXT } };
  return { ...current, metadata, data };
}
