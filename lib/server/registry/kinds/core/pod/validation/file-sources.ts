import type { HostPathVolumeSource, NFSVolumeSource } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
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

/** Validates a directory or file of the node, in pods and persistent volumes. */
export function hostPath(source: HostPathVolumeSource, path: FieldPath): FieldError[] {
  if (source.path === '') return [required(path.child('path'))];
  return [...pathNoBacksteps(source.path, path.child('path')), ...optionalOneOf(source, 'type', path, HOST_PATH_TYPES)];
}

/** Validates a directory of an NFS server, in pods and persistent volumes. */
export function nfs(source: NFSVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...requiredText(source, 'server', path),
    ...requiredText(source, 'path', path),
    ...(isAbsolute(source.path) ? [] : [invalid(path.child('path'), source.path, 'must be an absolute path')]),
  ];
}
