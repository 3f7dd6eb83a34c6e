import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { defined } from '#lib/machinery/defined.ts';

/** A reference to a pod for events. It has the kind and version, which items of lists lack. */
export const podReference = ({ metadata: { name = '', namespace, uid, resourceVersion } }: Pod): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...defined({ namespace, uid, resourceVersion }) },
});

/** The field path of a container for events: `spec.containers{app}` (upstream: container.GenerateContainerRef). */
export function containerFieldPath({ spec }: Pod, { name }: Pick<Container, 'name'>): string {
  const isIt = (one: { readonly name: string }): boolean => one.name === name;
  if (spec.containers?.some(isIt) === true) return `spec.containers{${name}}`;
  if (spec.initContainers?.some(isIt) === true) return `spec.initContainers{${name}}`;
  if (spec.ephemeralContainers?.some(isIt) === true) return `spec.ephemeralContainers{${name}}`;
  return `implicitly required container ${name}`;
}

/** The text of a pod in messages: `name_namespace(uid)` (upstream: format.Pod). */
export const podText = ({ metadata: { name = '', namespace = '', uid = '' } }: Pod): string =>
  `${name}_${namespace}(${uid})`;
