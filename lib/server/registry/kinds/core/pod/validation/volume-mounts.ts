import type { VolumeMount } from '#lib/api/types/core.v1.ts';
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { each } from '../../../shared/validate.ts';
import { localDescendingPath, pathNoBacksteps } from './paths.ts';
import type { AnyContainer } from './visit.ts';
import type { Volumes } from './volumes.ts';

/** Upstream's ValidateVolumeMounts: a container's mounts, which may not overlap with its devices. */
export function validateVolumeMounts(container: AnyContainer, volumes: Volumes, path: FieldPath): FieldError[] {
  const devices = new Map((container.volumeDevices ?? []).map(({ name, devicePath }) => [name, devicePath]));
  const devicePaths = new Set(devices.values());
  const mounted = new Set<string>();
  return each(container.volumeMounts ?? [], path, (mount, at) => {
    const { name, mountPath } = mount;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(at.child('name')));
    if (!volumes.has(name)) errors.push(notFound(at.child('name'), name));
    if (mountPath === '') errors.push(required(at.child('mountPath')));
    if (mounted.has(mountPath)) errors.push(invalid(at.child('mountPath'), mountPath, 'must be unique'));
    mounted.add(mountPath);
    if (devices.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath)) {
      errors.push(invalid(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    }
    return [...errors, ...subPaths(mount, path, at), ...propagation(mount, container, path), ...recursive(mount, path)];
  });
}

/** Validates sub paths. Their errors are at the list's path, as upstream reports them. */
function subPaths(
  { subPath = '', subPathExpr: expression = '' }: VolumeMount,
  path: FieldPath,
  at: FieldPath,
): FieldError[] {
  const errors = subPath === '' ? [] : localDescendingPath(subPath, path.child('subPath'));
  if (expression === '') return errors;
  if (subPath !== '') {
    errors.push(invalid(at.child('subPathExpr'), expression, 'subPathExpr and subPath are mutually exclusive'));
  }
  return [...errors, ...localDescendingPath(expression, path.child('subPathExpr'))];
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

function propagation(
  { mountPropagation: mode }: VolumeMount,
  { securityContext }: AnyContainer,
  path: FieldPath,
): FieldError[] {
  if (mode === undefined) return [];
  const where = path.child('mountPropagation');
  const errors = PROPAGATIONS.includes(mode) ? [] : [notSupported(where, mode, PROPAGATIONS)];
  const privileged = securityContext?.privileged === true;
  if (mode !== 'Bidirectional' || privileged) return errors;
  const message = 'Bidirectional mount propagation is available only to privileged containers';
  return [...errors, forbidden(where, message)];
}

const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

function recursive(mount: VolumeMount, path: FieldPath): FieldError[] {
  const { recursiveReadOnly: mode, mountPropagation } = mount;
  if (mode === undefined || mode === 'Disabled') return [];
  const where = path.child('recursiveReadOnly');
  if (!RECURSIVE.includes(mode)) return [notSupported(where, mode, RECURSIVE)];
  const errors: FieldError[] = [];
  if (mount.readOnly !== true) errors.push(forbidden(where, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    errors.push(forbidden(where, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

/** Upstream's ValidateVolumeDevices: a container's block devices, which may not overlap with its mounts. */
export function validateVolumeDevices(container: AnyContainer, volumes: Volumes, path: FieldPath): FieldError[] {
  const mounts = new Map((container.volumeMounts ?? []).map(({ name, mountPath }) => [name, mountPath]));
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  return each(container.volumeDevices ?? [], path, ({ name, devicePath: target }, at) => {
    const errors = deviceName(name, volumes, names, at.child('name'));
    if (target === '') errors.push(required(at.child('devicePath')));
    if (paths.has(target)) errors.push(invalid(at.child('devicePath'), target, 'must be unique'));
    if (pathNoBacksteps(target, path).length > 0) {
      errors.push(invalid(at.child('devicePath'), target, "can not contain backsteps ('..')"));
    } else paths.add(target);
    if (mounts.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(target)) {
      errors.push(invalid(at.child('devicePath'), target, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
    return errors;
  });
}

const BLOCK = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';

function deviceName(name: string, volumes: Volumes, names: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const volume = volumes.get(name);
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(path));
  if (names.has(name)) errors.push(invalid(path, name, 'must be unique'));
  if (volume === undefined) errors.push(notFound(path, name));
  else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
    errors.push(invalid(path, name, BLOCK));
  return errors;
}
