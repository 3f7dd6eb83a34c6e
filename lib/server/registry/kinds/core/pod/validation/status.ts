import type { Pod, PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { type FieldError, FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { validateLegacyIP } from '../../../shared/ip.ts';
import { each, objectName, qualifiedName } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validateClaimStatuses } from './status-claims.ts';
import { validateContainerStatuses } from './status-containers.ts';
import { validateAnnotationUpdate } from './update.ts';

const STATUS = FieldPath.of('status');
const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];
const NONNEGATIVE = 'must be a non-negative integer';

/** Upstream's ValidatePodStatusUpdate, without generic metadata. */
export function validateStatusUpdate(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  const { status } = pod;
  const { qosClass = '' } = status;
  return [
    ...validateAnnotationUpdate(pod, old, options),
    ...conditions(status.conditions ?? [], STATUS.child('conditions')),
    ...nominatedNode(status, old),
    ...observedGeneration(status, STATUS),
    ...(qosClass === (old.status.qosClass ?? '') ? [] : [invalid(STATUS.child('qosClass'), qosClass, IMMUTABLE)]),
    ...validateContainerStatuses(pod, old, STATUS),
    ...validateClaimStatuses(pod, STATUS),
    ...addresses(status, old.status, 'podIPs'),
    ...hostIPs(status, old.status),
  ];
}

function observedGeneration(
  { observedGeneration: generation = 0 }: PodStatus | PodCondition,
  path: FieldPath,
): FieldError[] {
  return generation < 0 ? [invalid(path.child('observedGeneration'), generation, NONNEGATIVE)] : [];
}

function conditions(list: readonly PodCondition[], path: FieldPath): FieldError[] {
  return each(list, path, (condition, at) => {
    const { type } = condition;
    const errors = observedGeneration(condition, at);
    return SYSTEM_CONDITIONS.includes(type) ? errors : [...errors, ...qualifiedName(type, at.child('Type'))];
  });
}

function nominatedNode({ nominatedNodeName: node = '' }: PodStatus, old: Pod): FieldError[] {
  const path = STATUS.child('nominatedNodeName');
  if (node === '' || node === old.status.nominatedNodeName) return [];
  const bound = nodeNameOf(old) !== '';
  return [
    ...objectName(node, path),
    ...(bound ? [forbidden(path, 'may not be set on pods that are already bound to a node')] : []),
  ];
}

const FAMILIES = 'may specify no more than one IP for each IP family';

/** At most one address per family. Stored addresses are not validated again. */
function addresses(status: PodStatus, old: PodStatus, field: 'podIPs' | 'hostIPs'): FieldError[] {
  const path = STATUS.child(field);
  const ips = (status[field] ?? []).map(({ ip }) => ip);
  const stored = (old[field] ?? []).map(({ ip }) => ip);
  const errors = each(ips, path, (ip, at) => validateLegacyIP(ip, at, stored));
  const families = new Set(ips.map(ipFamily));
  if (ips.length < 2 || (ips.length === 2 && families.size === 2 && !families.has(undefined))) return errors;
  // Messages contain the internal type.
  const shown = ips.map((ip) => ({ IP: ip }));
  return [...errors, invalid(path, shown, FAMILIES)];
}

function hostIPs(status: PodStatus, old: PodStatus): FieldError[] {
  const ip = status.hostIPs?.[0]?.ip;
  if (ip === undefined) return [];
  const path = STATUS.child('hostIPs').index(0).child('ip');
  const differs = (status.hostIP ?? '') !== ip;
  return [...(differs ? [invalid(path, ip, 'must be equal to `hostIP`')] : []), ...addresses(status, old, 'hostIPs')];
}
