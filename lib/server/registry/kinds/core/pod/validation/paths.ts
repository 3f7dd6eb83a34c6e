import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';

/** Whether the path begins at the root. */
export const isAbsolute = (path: string): boolean => path.startsWith('/');

/** Errors of a path with an element `..`. */
export function pathNoBacksteps(target: string, path: FieldPath): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Errors of a path that is absolute or has an element `..`. */
export function localDescendingPath(target: string, path: FieldPath): FieldError[] {
  const absolute = isAbsolute(target) ? [invalid(path, target, 'must be a relative path')] : [];
  return [...absolute, ...pathNoBacksteps(target, path)];
}

/** Errors of a path that is absolute, has an element `..`, or begins with `..`, which kubelets reserve. */
export function localNonReservedPath(target: string, path: FieldPath): FieldError[] {
  const errors = localDescendingPath(target, path);
  const reserved = target.startsWith('..') && !target.startsWith('../');
  return reserved ? [...errors, invalid(path, target, "must not start with '..'")] : errors;
}
