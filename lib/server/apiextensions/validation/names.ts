import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isDNS1035Label } from '#lib/machinery/validation/names.ts';
import type { Names } from '../definition.ts';

/** Validates the names of a spec or status. Names that are set must be DNS labels, kinds after conversion to lower case. */
export function validateNames(names: Names, path: FieldPath): FieldError[] {
  const errors = [
    ...labelErrors(names.plural, path.child('plural')),
    ...labelErrors(names.singular, path.child('singular')),
    ...kindErrors(names.kind, path.child('kind')),
    ...kindErrors(names.listKind, path.child('listKind')),
    ...names.shortNames.flatMap((name, i) => invalidLabel(name, path.child('shortNames').index(i))),
  ];
  if (names.kind !== '' && names.kind === names.listKind) {
    errors.push(invalid(path.child('listKind'), names.listKind, 'kind and listKind may not be the same'));
  }
  return [...errors, ...names.categories.flatMap((name, i) => invalidLabel(name, path.child('categories').index(i)))];
}

/** Requires plural, singular, kind and listKind. */
export function requireNames(names: Names, path: FieldPath): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => names[name] === '')
    .map((name) => required(path.child(name)));
}

const labelErrors = (name: string, path: FieldPath): FieldError[] => (name === '' ? [] : invalidLabel(name, path));

/** Returns the errors of a name that is not a DNS-1035 label. */
export function invalidLabel(name: string, path: FieldPath): FieldError[] {
  const messages = isDNS1035Label(name);
  return messages.length === 0 ? [] : [invalid(path, name, messages.join(','))];
}

function kindErrors(kind: string, path: FieldPath): FieldError[] {
  const messages = kind === '' ? [] : isDNS1035Label(kind.toLowerCase());
  if (messages.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${messages.join(',')}`)];
}
