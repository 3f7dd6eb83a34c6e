import type { Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';

/** Bytes of a file's name. */
const MAX_NAME = 255;

/**
 * The name of a pod that is no name of a file, as text for an event; undefined where all are. The API server lets none of them in: a pod that
 * has one comes from elsewhere, and would have the node write and remove files outside of the pod's folders.
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
