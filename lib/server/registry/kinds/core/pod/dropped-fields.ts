import type { PodSpec, PodTemplateSpec, VolumeProjection } from '#lib/api/types/core.v1.ts';
import { hasNoField } from '#lib/machinery/json-value.ts';
import { type AnyContainer, containersOf } from './validation/visit.ts';

const PROJECTIONS = ['clusterTrustBundle', 'podCertificate'] as const;

/** Removes the fields of features that are off by default, unless the stored spec already has them. */
export function dropDisabledFields(spec: PodSpec, old: PodSpec | undefined): void {
  for (const field of PROJECTIONS) {
    if (projections(old).some((source) => source[field] !== undefined)) continue;
    for (const source of projections(spec)) delete source[field];
  }
  if (old?.schedulingGroup === undefined) delete spec.schedulingGroup;
  const stopSignal = containersOf(old).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined);
  if (!stopSignal) for (const container of containersOf(spec)) dropStopSignal(container);
}

/** Like `dropDisabledFields`, for a template. `old` is the stored template. */
export function dropDisabledTemplateFields(
  template: PodTemplateSpec | undefined,
  old: PodTemplateSpec | undefined,
): void {
  if (template !== undefined) dropDisabledFields(template.spec, old?.spec);
}

function projections(spec: PodSpec | undefined): VolumeProjection[] {
  return (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
}

function dropStopSignal(container: AnyContainer): void {
  const { lifecycle } = container;
  if (lifecycle?.stopSignal === undefined) return;
  delete lifecycle.stopSignal;
  if (hasNoField(lifecycle)) delete container.lifecycle;
}
