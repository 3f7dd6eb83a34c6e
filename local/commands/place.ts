import { InvalidArgumentError } from 'commander';

/** Names an object; the namespace of a cluster-scoped object is empty. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** Reads `NAMESPACE/NAME` or `NAME`. Throws InvalidArgumentError. */
export function placeOf(text: string): NamespacedName {
  const [first = '', second, ...rest] = text.split('/');
  if (first === '' || second === '' || rest.length > 0) throw new InvalidArgumentError('It is NAMESPACE/NAME or NAME.');
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}

/** `namespace/name`, or the name alone for a cluster-scoped object. */
export const placeText = ({ namespace, name }: NamespacedName): string =>
  namespace === '' ? name : `${namespace}/${name}`;
