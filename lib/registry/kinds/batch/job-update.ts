import { inOrder, internalForm } from '#lib/api/internal-form.ts';
import { clone, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, flag, has, integer, items, text } from '#lib/machinery/unstructured.ts';
import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { internallyEqual, immutable } from '../shared/semantic.ts';
import { isIndexed } from './job-spec.ts';
import { conditionIs } from './job-conditions.ts';

const JOB_SPEC = 'batch.v1.JobSpec';
const FIXED = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

/** What of a job's specification may change, beyond its being valid. */
export function validateJobSpecUpdate(job: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const spec = objectAt(job, 'spec') ?? {};
  const oldSpec = objectAt(old, 'spec') ?? {};
  return [
    ...completions(spec, oldSpec, path.child('completions')),
    ...immutable(spec, oldSpec, 'selector', path),
    ...template(spec, old, path),
    ...FIXED.flatMap((field) => immutable(spec, oldSpec, field, path, JOB_SPEC)),
  ];
}

/** Of indexed jobs they change together with parallelism: elastic jobs. */
function completions(spec: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const now = integer(spec, 'completions');
  if (now === integer(old, 'completions')) return [];
  if (!isIndexed(spec)) return [invalid(path, now ?? null, IMMUTABLE)];
  if (now === undefined || now === count(spec, 'parallelism')) return [];
  return [invalid(path, now, 'can only be modified in tandem with spec.parallelism')];
}

/** A suspended job without pods may have its template's scheduling directives and resources changed. */
function template(spec: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const oldSpec = objectAt(old, 'spec') ?? {};
  const now = clone(objectAt(spec, 'template') ?? {});
  const before = clone(objectAt(oldSpec, 'template') ?? {});
  const mutable = isMutable(old);
  if (mutable) adoptScheduling(before, now);
  if (flag(oldSpec, 'suspend') !== true || !mutable) {
    return kept('core.v1.PodTemplateSpec', now, before, path.child('template'));
  }
  const nowSpec = objectAt(now, 'spec') ?? {};
  const beforeSpec = objectAt(before, 'spec') ?? {};
  adoptResources(beforeSpec, nowSpec);
  return kept('core.v1.PodSpec', nowSpec, beforeSpec, path.child('template.spec'));
}

function kept(type: string, now: JsonObject, before: JsonObject, path: FieldPath): FieldError[] {
  const form = internalForm(type, now);
  return internallyEqual(form, internalForm(type, before)) ? [] : [invalid(path, inOrder(form), IMMUTABLE)];
}

function isMutable(old: JsonObject): boolean {
  const status = objectAt(old, 'status');
  const halted = !has(status, 'startTime') || conditionIs(old, 'Suspended', 'True');
  return flag(objectAt(old, 'spec'), 'suspend') === true && halted && count(status, 'active') === 0;
}

function adopt(target: JsonObject, source: JsonObject, ...fields: string[]): void {
  for (const field of fields) {
    const value = ownField(source, field);
    if (value === undefined) delete target[field];
    else target[field] = clone<Json>(value);
  }
}

function adoptScheduling(before: JsonObject, now: JsonObject): void {
  const spec = ensure(before, 'spec');
  const nowSpec = ensure(now, 'spec');
  adopt(spec, nowSpec, 'nodeSelector', 'tolerations', 'schedulingGates');
  adopt(ensure(before, 'metadata'), ensure(now, 'metadata'), 'annotations', 'labels');
  const affinity = ensure(spec, 'affinity');
  adopt(affinity, objectAt(nowSpec, 'affinity') ?? {}, 'nodeAffinity');
  if (Object.keys(affinity).length === 0 && objectAt(nowSpec, 'affinity') === undefined) delete spec['affinity'];
}

function adoptResources(before: JsonObject, now: JsonObject): void {
  for (const list of ['containers', 'initContainers']) {
    const containers = items(now, list);
    const old = items(before, list);
    if (containers.length !== old.length) continue;
    for (const [i, container] of old.entries()) {
      const next = containers[i] ?? {};
      if (text(next, 'name') === text(container, 'name')) adopt(container, next, 'resources');
    }
  }
}
