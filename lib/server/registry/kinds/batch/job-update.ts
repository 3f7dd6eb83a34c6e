import { inOrder, internalForm } from '#lib/api/internal-form.ts';
import type { Job, JobSpec } from '#lib/api/types/batch.v1.ts';
import type { PodSpec, PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { immutable, internallyEqual } from '../shared/semantic.ts';
import { keepField } from '../shared/status.ts';
import { conditionIs } from './job-conditions.ts';
import { isIndexed } from './job-spec.ts';

const JOB_SPEC = 'batch.v1.JobSpec';
const FIXED = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;

/** Rejects changes that are invalid although the new spec is valid. */
export function validateJobSpecUpdate(job: Job, old: Job, path: FieldPath): FieldError[] {
  const [spec, oldSpec] = [job.spec, old.spec];
  return [
    ...completions(spec, oldSpec, path.child('completions')),
    ...immutable(spec, oldSpec, 'selector', path),
    ...template(spec, old, path),
    ...FIXED.flatMap((field) => immutable(spec, oldSpec, field, path, JOB_SPEC)),
  ];
}

/** Elastic jobs: `completions` of an indexed job may change only together with parallelism. */
function completions(spec: JobSpec, old: JobSpec, path: FieldPath): FieldError[] {
  const now = spec.completions;
  if (now === old.completions) return [];
  if (!isIndexed(spec)) return [invalid(path, now ?? null, IMMUTABLE)];
  if (now === undefined || now === (spec.parallelism ?? 0)) return [];
  return [invalid(path, now, 'can only be modified in tandem with spec.parallelism')];
}

/** Scheduling directives and resources of the template may change while the job is suspended and has no pods. */
function template(spec: JobSpec, old: Job, path: FieldPath): FieldError[] {
  const oldSpec = old.spec;
  const now = clone(spec.template);
  const before = clone(oldSpec.template);
  const mutable = isMutable(old);
  if (mutable) adoptScheduling(before, now);
  if (oldSpec.suspend !== true || !mutable) {
    return kept('core.v1.PodTemplateSpec', now, before, path.child('template'));
  }
  adoptResources(before.spec, now.spec);
  return kept('core.v1.PodSpec', now.spec, before.spec, path.child('template.spec'));
}

function kept(type: string, now: JsonObject, before: JsonObject, path: FieldPath): FieldError[] {
  const form = internalForm(type, now);
  return internallyEqual(form, internalForm(type, before)) ? [] : [invalid(path, inOrder(form), IMMUTABLE)];
}

function isMutable(old: Job): boolean {
  const status = old.status;
  const halted = status.startTime === undefined || conditionIs(old, 'Suspended', 'True');
  return old.spec.suspend === true && halted && (status.active ?? 0) === 0;
}

function adoptScheduling({ metadata, spec }: PodTemplateSpec, now: PodTemplateSpec): void {
  const nowSpec = now.spec;
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) keepField(spec, nowSpec, field);
  for (const field of ['annotations', 'labels'] as const) keepField(metadata, now.metadata, field);
  const affinity = (spec.affinity ??= {});
  keepField(affinity, nowSpec.affinity ?? {}, 'nodeAffinity');
  if (Object.keys(affinity).length === 0 && nowSpec.affinity === undefined) delete spec.affinity;
}

function adoptResources(before: PodSpec, now: PodSpec): void {
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = now[list] ?? [];
    const old = before[list] ?? [];
    if (containers.length !== old.length) continue;
    for (const [i, container] of old.entries()) {
      const next = containers[i];
      if (next?.name === container.name) keepField(container, next, 'resources');
    }
  }
}
