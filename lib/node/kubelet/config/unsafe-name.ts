import type { Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** Maximum length of a file name in bytes. */
const MAX_NAME = 255;

/**
 * The first name in a pod that is not a safe file name, as text for an event, or undefined if all are safe. The API server rejects such
 * names. A pod with such a name does not come from the API server. It could make the node write and remove files outside the pod's
 * directories.
 */
export function unsafeName(pod: Pod): string | undefined {
  const { containers, initContainers, ephemeralContainers, volumes } = pod.spec;
  const named = (kind: string, all: readonly { readonly name: string }[] | null | undefined): [string, string][] =>
    (all ?? []).map(({ name }) => [kind, name]);
  const names: readonly (readonly [string, string])[] = [
    ['uid', uidOf(pod)],
    ['name', nameOf(pod)],
    ['namespace', namespaceOf(pod)],
    ...[containers, initContainers, ephemeralContainers].flatMap((all) => named('container name', all)),
    ...named('volume name', volumes),
  ];
  const unsafe = names.find(([, name]) => !isFileName(name));
  return unsafe && `${unsafe[0]} ${quote(unsafe[1])}`;
}

const isFileName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name) && Buffer.byteLength(name) <= MAX_NAME;
