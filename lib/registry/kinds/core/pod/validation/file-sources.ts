import type { JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { optionalOneOf, requiredText } from '../../../shared/validate.ts';
import { isAbsolute, pathNoBacksteps } from './paths.ts';

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** A folder or file of the node, in pods and persistent volumes. */
export function hostPath(source: JsonObject, path: FieldPath): FieldError[] {
  const target = text(source, 'path');
  if (target === '') return [required(path.child('path'))];
  return [...pathNoBacksteps(target, path.child('path')), ...optionalOneOf(source, 'type', path, HOST_PATH_TYPES)];
}

/** A folder of an NFS server, in pods and persistent volumes. */
export function nfs(source: JsonObject, path: FieldPath): FieldError[] {
  const target = text(source, 'path');
  return [
    ...requiredText(source, 'server', path),
    ...requiredText(source, 'path', path),
    ...(isAbsolute(target) ? [] : [invalid(path.child('path'), target, 'must be an absolute path')]),
  ];
}
