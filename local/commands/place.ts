import { InvalidArgumentError } from 'commander';
import type { NamespacedName } from '#lib/machinery/namespaced-name.ts';

/** Reads `NAMESPACE/NAME` or `NAME`. Throws InvalidArgumentError. */
export function placeOf(text: string): NamespacedName {
  const [first = '', second, ...rest] = text.split('/');
  if (first === '' || second === '' || rest.length > 0) throw new InvalidArgumentError('It is NAMESPACE/NAME or NAME.');
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}
