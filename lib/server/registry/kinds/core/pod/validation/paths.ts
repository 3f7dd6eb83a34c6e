import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';

/** Whether the path is absolute. */
export const isAbsolute = (path: string): boolean => path.startsWith('/');

/** Rejects a path with a `..` element. */
export function pathNoBacksteps(target: string, path: FieldPath): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Rejects a path that is absolute or has a `..` element. */
export function localDescendingPath(target: string, path: FieldPath): FieldError[] {
  const absolute = isAbsolute(target) ? [invalid(path, target, 'must be a relative path')] : [];
  return [...absolute, ...pathNoBacksteps(target, path)];
}

/** Rejects a path that is absolute, has a `..` element, or starts with `..`, which kubelets reserve. */
export function localNonReservedPath(target: string, path: FieldPath): FieldError[] {
  const errors = localDescendingPath(target, path);
  const reserved = target.startsWith('..') && !target.startsWith('../');
  return reserved ? [...errors, invalid(path, target, "must not start with '..'")] : errors;
}
