import { arrayAt, objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { ipFamily, validateLegacyIP } from '../../../shared/ip.ts';
import { each, objectName, qualifiedName } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validateClaimStatuses } from './status-claims.ts';
import { validateContainerStatuses } from './status-containers.ts';
import { validateAnnotationUpdate } from './update.ts';

const STATUS = FieldPath.of('status');
const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];
const NONNEGATIVE = 'must be a non-negative integer';

/** Upstream's ValidatePodStatusUpdate, generic metadata apart. */
export function validateStatusUpdate(pod: JsonObject, old: JsonObject, options: PodValidationOptions): FieldError[] {
  const status = objectAt(pod, 'status') ?? {};
  const oldStatus = objectAt(old, 'status');
  const qos = text(status, 'qosClass');
  return [
    ...validateAnnotationUpdate(pod, old, options),
    ...conditions(items(status, 'conditions'), STATUS.child('conditions')),
    ...nominatedNode(status, old),
    ...observedGeneration(status, STATUS),
    ...(qos === text(oldStatus, 'qosClass') ? [] : [invalid(STATUS.child('qosClass'), qos, IMMUTABLE)]),
    ...validateContainerStatuses(pod, old, STATUS),
    ...validateClaimStatuses(pod, STATUS),
    ...addresses(status, oldStatus, 'podIPs'),
    ...hostIPs(status, oldStatus),
  ];
}

function observedGeneration(object: JsonObject, path: FieldPath): FieldError[] {
  const generation = count(object, 'observedGeneration');
  return generation < 0 ? [invalid(path.child('observedGeneration'), generation, NONNEGATIVE)] : [];
}

function conditions(list: readonly JsonObject[], path: FieldPath): FieldError[] {
  return each(list, path, (condition, at) => {
    const type = text(condition, 'type');
    const errors = observedGeneration(condition, at);
    return SYSTEM_CONDITIONS.includes(type) ? errors : [...errors, ...qualifiedName(type, at.child('Type'))];
  });
}

function nominatedNode(status: JsonObject, old: JsonObject): FieldError[] {
  const node = text(status, 'nominatedNodeName');
  const path = STATUS.child('nominatedNodeName');
  if (node === '' || node === text(objectAt(old, 'status'), 'nominatedNodeName')) return [];
  const bound = text(objectAt(old, 'spec'), 'nodeName') !== '';
  return [
    ...objectName(node, path),
    ...(bound ? [forbidden(path, 'may not be set on pods that are already bound to a node')] : []),
  ];
}

const FAMILIES = 'may specify no more than one IP for each IP family';

/** One address per family. Stored ones are let pass. */
function addresses(status: JsonObject, old: JsonObject | undefined, field: 'podIPs' | 'hostIPs'): FieldError[] {
  const path = STATUS.child(field);
  const ips = items(status, field).map((item) => text(item, 'ip'));
  const stored = items(old, field).map((item) => text(item, 'ip'));
  const errors = each(ips, path, (ip, at) => validateLegacyIP(ip, at, stored));
  const families = new Set(ips.map(ipFamily));
  if (ips.length < 2 || (ips.length === 2 && families.size === 2 && !families.has(undefined))) return errors;
  return [...errors, invalid(path, arrayAt(status, field).map(shownIP), FAMILIES)];
}

/** As Go's JSON has the internal type. */
function shownIP(item: Json): JsonObject {
  return { IP: typeof item === 'object' && item !== null && !Array.isArray(item) ? text(item, 'ip') : '' };
}

function hostIPs(status: JsonObject, old: JsonObject | undefined): FieldError[] {
  const first = items(status, 'hostIPs')[0];
  if (first === undefined) return [];
  const ip = text(first, 'ip');
  const path = STATUS.child('hostIPs').index(0).child('ip');
  const differs = text(status, 'hostIP') !== ip;
  return [...(differs ? [invalid(path, ip, 'must be equal to `hostIP`')] : []), ...addresses(status, old, 'hostIPs')];
}
