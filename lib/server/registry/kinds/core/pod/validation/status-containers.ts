import type {
  Container,
  ContainerRestartRule,
  ContainerStatus,
  LinuxContainerUser,
  Pod,
  PodSpec,
  ResourceHealth,
} from '#lib/api/types/core.v1.ts';
import type { Int64 } from '#lib/api/types/scalars.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '#lib/machinery/validation/field.ts';
import { each, inRange } from '../../../shared/validate.ts';

/** Lists of statuses, each with its list of containers. */
const LISTS = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
  ['ephemeralContainerStatuses', undefined],
] as const;
type List = (typeof LISTS)[number][0];
/** The list of containers that belongs to the statuses. Undefined for ephemeral containers, which upstream does not look up. */
type Containers = (typeof LISTS)[number][1];

/** Validates container statuses: restarts of finally terminated containers, users and allocated resources. */
export function validateContainerStatuses(pod: Pod, old: Pod, path: FieldPath): FieldError[] {
  const { spec, status } = pod;
  return [
    ...LISTS.flatMap(([list, containers]) => transitions(pod, old, list, containers, path.child(list))),
    ...LISTS.flatMap(([list]) => users(status[list] ?? [], spec, path.child(list))),
    ...LISTS.flatMap(([list, containers]) => allocated(status[list] ?? [], spec, containers, path.child(list))),
  ];
}

function transitions(pod: Pod, old: Pod, list: List, containers: Containers, path: FieldPath): FieldError[] {
  const { spec } = old;
  if (containers !== undefined && allMayRestart(spec)) return [];
  const now = pod.status[list] ?? [];
  return each(old.status[list] ?? [], path, ({ name, state: { terminated } }, where) => {
    const after = now.find((status) => status.name === name);
    if (terminated === undefined || after === undefined || after.state.terminated !== undefined) return [];
    const container = containerNamed(spec, containers, name);
    if (container !== undefined && mayRestart(container, spec, terminated.exitCode)) return [];
    return [forbidden(where.child('state'), 'may not be transitioned to non-terminated state')];
  });
}

const containerNamed = (spec: PodSpec, containers: Containers, name: string): Container | undefined =>
  containers === undefined ? undefined : spec[containers]?.find((one) => one.name === name);

/** A `RestartAllContainers` rule of any container allows all containers to restart. */
function allMayRestart(spec: PodSpec): boolean {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const rules = containers.flatMap(({ restartPolicyRules }) => restartPolicyRules ?? []);
  return rules.some(({ action }) => action === 'RestartAllContainers');
}

/** The container's rules take precedence over its policy, and its policy over the pod's. */
function mayRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (isSidecar(container)) return true;
  const rules = container.restartPolicyRules ?? [];
  const applies = rules.some((rule) => rule.action === 'Restart' && matchesCode(rule, exitCode));
  if (container.restartPolicy !== undefined && applies) return true;
  const policy = container.restartPolicy || spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function matchesCode({ exitCodes: codes }: ContainerRestartRule, exitCode: number): boolean {
  const listed = (codes?.values ?? []).includes(exitCode);
  return codes?.operator === 'In' ? listed : codes?.operator === 'NotIn' && !listed;
}

function users(statuses: readonly ContainerStatus[], spec: PodSpec, path: FieldPath): FieldError[] {
  const os = spec.os?.name || 'linux';
  return each(statuses, path, ({ user }, where) => {
    const linux = user?.linux;
    const userPath = where.child('user', 'linux');
    if (linux === undefined) return [];
    if (os === 'windows') return [forbidden(userPath, 'cannot be set for a windows pod')];
    return os === 'linux' ? linuxUser(linux, userPath) : [];
  });
}

function linuxUser({ uid, gid, supplementalGroups = [] }: LinuxContainerUser, path: FieldPath): FieldError[] {
  const id = (value: Int64, where: FieldPath): FieldError[] => inRange(value, where, 0, MAX_INT32);
  return [
    ...id(uid, path.child('uid')),
    ...id(gid, path.child('gid')),
    ...each(supplementalGroups, path.child('supplementalGroups'), id),
  ];
}

function allocated(
  statuses: readonly ContainerStatus[],
  spec: PodSpec,
  containers: Containers,
  path: FieldPath,
): FieldError[] {
  return each(statuses, path, ({ name, allocatedResourcesStatus: list = [] }, at) => {
    const where = at.child('allocatedResourcesStatus');
    if (containers === undefined) {
      return list.length === 0 ? [] : [forbidden(where, 'must not be specified in container status')];
    }
    const container = containerNamed(spec, containers, name);
    return each(list, where, (resource, one) => [
      ...(container === undefined ? [] : isRequested(resource.name, container, one.child('name'))),
      ...health(resource.resources ?? [], one.child('resources')),
    ]);
  });
}

const CLAIM =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";

function isRequested(name: string, { resources }: Container, path: FieldPath): FieldError[] {
  if (!name.startsWith('claim:')) {
    const requested = ownField(resources.requests, name) !== undefined;
    return requested ? [] : [invalid(path, name, "must match one of the container's resource requests")];
  }
  const claims = (resources.claims ?? []).map(
    ({ name: claim, request = '' }) => `claim:${claim}${request === '' ? '' : `/${request}`}`,
  );
  return claims.includes(name) ? [] : [invalid(path, name, CLAIM)];
}

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const MESSAGE_MAX = 1024;

function health(resources: readonly ResourceHealth[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return each(resources, path, ({ health: state = '', resourceID: id, message }, where) => {
    const again = seen.has(id);
    seen.add(id);
    const messagePath = where.child('message');
    return [
      ...(HEALTH.includes(state) ? [] : [notSupported(where.child('health'), state, HEALTH)]),
      ...(message === '' ? [required(messagePath, 'must be non-empty if specified')] : []),
      ...(Buffer.byteLength(message ?? '') > MESSAGE_MAX ? [tooLong(messagePath, MESSAGE_MAX)] : []),
      ...(again ? [duplicate(where.child('resourceID'), id)] : []),
    ];
  });
}
