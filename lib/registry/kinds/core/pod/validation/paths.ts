import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';

export const isAbsolute = (path: string): boolean => path.startsWith('/');

/** No element of the path is `..`. */
export function pathNoBacksteps(target: string, path: FieldPath): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Relative, and no element is `..`. */
export function localDescendingPath(target: string, path: FieldPath): FieldError[] {
  const absolute = isAbsolute(target) ? [invalid(path, target, 'must be a relative path')] : [];
  return [...absolute, ...pathNoBacksteps(target, path)];
}

/** Relative, without `..` elements, and not beginning with `..`, which kubelets reserve. */
export function localNonReservedPath(target: string, path: FieldPath): FieldError[] {
  const errors = localDescendingPath(target, path);
  const reserved = target.startsWith('..') && !target.startsWith('../');
  return reserved ? [...errors, invalid(path, target, "must not start with '..'")] : errors;
}
