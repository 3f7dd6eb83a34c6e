import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag, has, items, text } from '#lib/machinery/unstructured.ts';
import {
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { each } from '../../../shared/validate.ts';
import { localDescendingPath, pathNoBacksteps } from './paths.ts';
import type { Volumes } from './volumes.ts';

/** A container's mounts, and that they do not overlap with its devices. */
export function validateVolumeMounts(container: JsonObject, volumes: Volumes, path: FieldPath): FieldError[] {
  const devices = new Map(items(container, 'volumeDevices').map((d) => [text(d, 'name'), text(d, 'devicePath')]));
  const devicePaths = new Set(devices.values());
  const mounted = new Set<string>();
  return each(items(container, 'volumeMounts'), path, (mount, at) => {
    const name = text(mount, 'name');
    const mountPath = text(mount, 'mountPath');
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

/** The errors of the sub paths themselves are at the list's path, as upstream has them. */
function subPaths(mount: JsonObject, path: FieldPath, at: FieldPath): FieldError[] {
  const subPath = text(mount, 'subPath');
  const expression = text(mount, 'subPathExpr');
  const errors = subPath === '' ? [] : localDescendingPath(subPath, path.child('subPath'));
  if (expression === '') return errors;
  if (subPath !== '') {
    errors.push(invalid(at.child('subPathExpr'), expression, 'subPathExpr and subPath are mutually exclusive'));
  }
  return [...errors, ...localDescendingPath(expression, path.child('subPathExpr'))];
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

function propagation(mount: JsonObject, container: JsonObject, path: FieldPath): FieldError[] {
  if (!has(mount, 'mountPropagation')) return [];
  const mode = text(mount, 'mountPropagation');
  const where = path.child('mountPropagation');
  const errors = PROPAGATIONS.includes(mode) ? [] : [notSupported(where, mode, PROPAGATIONS)];
  const privileged = flag(objectAt(container, 'securityContext'), 'privileged') === true;
  if (mode !== 'Bidirectional' || privileged) return errors;
  const message = 'Bidirectional mount propagation is available only to privileged containers';
  return [...errors, forbidden(where, message)];
}

const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

function recursive(mount: JsonObject, path: FieldPath): FieldError[] {
  const mode = ownField(mount, 'recursiveReadOnly');
  if (typeof mode !== 'string' || mode === 'Disabled') return [];
  const where = path.child('recursiveReadOnly');
  if (!RECURSIVE.includes(mode)) return [notSupported(where, mode, RECURSIVE)];
  const errors: FieldError[] = [];
  if (flag(mount, 'readOnly') !== true) errors.push(forbidden(where, 'may only be specified when readOnly is true'));
  if (has(mount, 'mountPropagation') && text(mount, 'mountPropagation') !== 'None') {
    errors.push(forbidden(where, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

/** A container's block devices, and that they do not overlap with its mounts. */
export function validateVolumeDevices(container: JsonObject, volumes: Volumes, path: FieldPath): FieldError[] {
  const mounts = new Map(items(container, 'volumeMounts').map((m) => [text(m, 'name'), text(m, 'mountPath')]));
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  return each(items(container, 'volumeDevices'), path, (device, at) => {
    const name = text(device, 'name');
    const target = text(device, 'devicePath');
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
  else if (!has(volume, 'persistentVolumeClaim') && !has(volume, 'ephemeral')) errors.push(invalid(path, name, BLOCK));
  return errors;
}
