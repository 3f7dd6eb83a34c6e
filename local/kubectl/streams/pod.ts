import { typedObject } from '#lib/api/typed.ts';
import { type Container, type Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { StartFault } from '../../start-fault.ts';
import { type Kubectl, KubectlFault, kubectl } from '../kubectl.ts';

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** A pod as of the start of the command. */
export interface PodRef {
  readonly namespace: string;
  readonly name: string;
  readonly object: Pod;
}

/** Reads the pod `NAME` or `pod/NAME` in the namespace that kubectl's flags and kubeconfig select. Throws StartFault. */
export async function podOf(connection: readonly string[], named: string): Promise<PodRef> {
  const name = named.replace(/^(?:pods?|po)\//, '');
  if (name.includes('/')) throw new StartFault(`${named} is no pod: name one as POD or pod/POD`);
  const ask = kubectl(connection);
  const object = await ask.object(['get', `pod/${name}`]);
  if (object === undefined) throw new StartFault(`there is no pod ${name}`);
  const pod = typedObject(PODS, object);
  return { namespace: pod.metadata.namespace ?? (await namespaceOf(ask)), name, object: pod };
}

/** The path of a subresource of the pod. */
export const pathOf = ({ namespace, name }: PodRef, subresource: string): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/${subresource}`;

/**
 * The requested container, or kubectl's default. If the pod has other containers, the default is reported on `stderr`. Throws StartFault if
 * there is no container.
 */
export function containerOf({ object }: PodRef, asked: string | undefined, stderr: NodeJS.WritableStream): string {
  if (asked !== undefined) return asked;
  const { containers, initContainers, ephemeralContainers } = object.spec;
  const all = [...(containers ?? []), ...(initContainers ?? []), ...(ephemeralContainers ?? [])];
  const names = all.map(({ name }) => name);
  const named = annotationsOf(object)[DEFAULT_CONTAINER];
  if (named !== undefined && names.includes(named)) return named;
  const [first] = names;
  if (first === undefined) throw new StartFault('the pod has no container');
  if (names.length > 1) stderr.write(`Defaulted container "${first}" out of: ${names.join(', ')}\n`);
  return first;
}

/** A container in the pod's spec; undefined for an unknown name. */
export const specOf = ({ object }: PodRef, container: string): Container | undefined =>
  object.spec.containers?.find(({ name }) => name === container);

async function namespaceOf(ask: Kubectl): Promise<string> {
  try {
    return (await ask.run(['config', 'view', '--minify', '-o', 'jsonpath={..namespace}'])) || 'default';
  } catch (error) {
    if (!(error instanceof KubectlFault)) throw error;
    return 'default';
  }
}
