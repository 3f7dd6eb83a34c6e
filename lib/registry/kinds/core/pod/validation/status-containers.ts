import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, has, integer, items, text, type Integer } from '#lib/machinery/unstructured.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { each, inRange } from '../../../shared/validate.ts';
import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';

const MAX_ID = 2 ** 31 - 1;
/** Lists of statuses with the lists of containers that they speak of. */
const LISTS = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
  ['ephemeralContainerStatuses', ''],
] as const;

/** Container statuses: no return from the dead, and users and allocated resources that can be. */
export function validateContainerStatuses(pod: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const status = objectAt(pod, 'status');
  const spec = objectAt(pod, 'spec') ?? {};
  return [
    ...LISTS.flatMap(([list, containers]) => transitions(pod, old, list, containers, path.child(list))),
    ...LISTS.flatMap(([list]) => users(items(status, list), spec, path.child(list))),
    ...LISTS.flatMap(([list, containers]) => allocated(items(status, list), spec, containers, path.child(list))),
  ];
}

function transitions(
  pod: JsonObject,
  old: JsonObject,
  list: string,
  containers: string,
  path: FieldPath,
): FieldError[] {
  const spec = objectAt(old, 'spec') ?? {};
  if (containers !== '' && allMayRestart(spec)) return [];
  const now = items(objectAt(pod, 'status'), list);
  return each(items(objectAt(old, 'status'), list), path, (before, where) => {
    const ended = at(before, 'state', 'terminated');
    const name = text(before, 'name');
    const after = now.find((status) => text(status, 'name') === name);
    if (ended === undefined || after === undefined || at(after, 'state', 'terminated') !== undefined) return [];
    const container = items(spec, containers).find((one) => text(one, 'name') === name);
    if (container !== undefined && mayRestart(container, spec, count(ended, 'exitCode'))) return [];
    return [forbidden(where.child('state'), 'may not be transitioned to non-terminated state')];
  });
}

/** A rule of any container may restart all. */
function allMayRestart(spec: JsonObject): boolean {
  const containers = [...items(spec, 'initContainers'), ...items(spec, 'containers')];
  const rules = containers.flatMap((container) => items(container, 'restartPolicyRules'));
  return rules.some((rule) => text(rule, 'action') === 'RestartAllContainers');
}

/** The container's rules go first, then its own policy, then the pod's. */
function mayRestart(container: JsonObject, spec: JsonObject, exitCode: Integer): boolean {
  if (isSidecar(container)) return true;
  const rules = items(container, 'restartPolicyRules');
  const applies = rules.some((rule) => text(rule, 'action') === 'Restart' && matchesCode(rule, exitCode));
  if (has(container, 'restartPolicy') && applies) return true;
  const policy = text(container, 'restartPolicy') || text(spec, 'restartPolicy');
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function matchesCode(rule: JsonObject, exitCode: Integer): boolean {
  const codes = objectAt(rule, 'exitCodes');
  const listed = arrayAt(codes, 'values').some((value) => value === exitCode);
  return text(codes, 'operator') === 'In' ? listed : text(codes, 'operator') === 'NotIn' && !listed;
}

function users(statuses: readonly JsonObject[], spec: JsonObject, path: FieldPath): FieldError[] {
  const os = text(objectAt(spec, 'os'), 'name') || 'linux';
  return each(statuses, path, (status, where) => {
    const linux = at(status, 'user', 'linux');
    const userPath = where.child('user', 'linux');
    if (linux === undefined) return [];
    if (os === 'windows') return [forbidden(userPath, 'cannot be set for a windows pod')];
    return os === 'linux' ? linuxUser(linux, userPath) : [];
  });
}

function linuxUser(user: JsonObject, path: FieldPath): FieldError[] {
  const groups = arrayAt(user, 'supplementalGroups').flatMap((group, i) => {
    const id = typeof group === 'number' || typeof group === 'bigint' ? group : 0;
    return inRange(id, path.child('supplementalGroups').index(i), 0, MAX_ID);
  });
  return [...['uid', 'gid'].flatMap((field) => inRange(integer(user, field), path.child(field), 0, MAX_ID)), ...groups];
}

function allocated(
  statuses: readonly JsonObject[],
  spec: JsonObject,
  containers: string,
  path: FieldPath,
): FieldError[] {
  return each(statuses, path, (status, at) => {
    const list = items(status, 'allocatedResourcesStatus');
    const where = at.child('allocatedResourcesStatus');
    if (containers === '') {
      return list.length === 0 ? [] : [forbidden(where, 'must not be specified in container status')];
    }
    const container = items(spec, containers).find((one) => text(one, 'name') === text(status, 'name'));
    return each(list, where, (resource, one) => [
      ...(container === undefined ? [] : isRequested(text(resource, 'name'), container, one.child('name'))),
      ...health(items(resource, 'resources'), one.child('resources')),
    ]);
  });
}

const CLAIM =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";

function isRequested(name: string, container: JsonObject, path: FieldPath): FieldError[] {
  const resources = objectAt(container, 'resources');
  if (!name.startsWith('claim:')) {
    const requested = has(objectAt(resources, 'requests'), name);
    return requested ? [] : [invalid(path, name, "must match one of the container's resource requests")];
  }
  const claims = items(resources, 'claims').map((claim) => {
    const request = text(claim, 'request');
    return `claim:${text(claim, 'name')}${request === '' ? '' : `/${request}`}`;
  });
  return claims.includes(name) ? [] : [invalid(path, name, CLAIM)];
}

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const MESSAGE_MAX = 1024;

function health(resources: readonly JsonObject[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return each(resources, path, (resource, where) => {
    const state = text(resource, 'health');
    const id = text(resource, 'resourceID');
    const message = text(resource, 'message');
    const again = seen.has(id);
    seen.add(id);
    const messagePath = where.child('message');
    return [
      ...(HEALTH.includes(state) ? [] : [notSupported(where.child('health'), state, HEALTH)]),
      ...(has(resource, 'message') && message === '' ? [required(messagePath, 'must be non-empty if specified')] : []),
      ...(Buffer.byteLength(message) > MESSAGE_MAX ? [tooLong(messagePath, MESSAGE_MAX)] : []),
      ...(again ? [duplicate(where.child('resourceID'), id)] : []),
    ];
  });
}
