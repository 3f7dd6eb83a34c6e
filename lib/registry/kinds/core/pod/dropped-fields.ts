import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items } from '#lib/machinery/unstructured.ts';
import { containersOf } from './validation/visit.ts';

/** Drops what belongs to features that are off by default, unless the stored spec has it already. */
export function dropDisabledFields(spec: JsonObject, old: JsonObject | undefined): void {
  for (const field of ['clusterTrustBundle', 'podCertificate']) {
    if (projections(old).some((source) => has(source, field))) continue;
    for (const source of projections(spec)) delete source[field];
  }
  if (!has(old, 'schedulingGroup')) delete spec['schedulingGroup'];
  const stopSignal = containersOf(old).some((container) => has(objectAt(container, 'lifecycle'), 'stopSignal'));
  if (!stopSignal) for (const container of containersOf(spec)) dropStopSignal(container);
}

/** Of a template, and of the stored one. */
export function dropDisabledTemplateFields(template: JsonObject | undefined, old: JsonObject | undefined): void {
  const spec = objectAt(template, 'spec');
  if (spec !== undefined) dropDisabledFields(spec, objectAt(old, 'spec'));
}

function projections(spec: JsonObject | undefined): JsonObject[] {
  return items(spec, 'volumes').flatMap((volume) => items(objectAt(volume, 'projected'), 'sources'));
}

function dropStopSignal(container: JsonObject): void {
  const lifecycle = objectAt(container, 'lifecycle');
  if (lifecycle === undefined || !has(lifecycle, 'stopSignal')) return;
  delete lifecycle['stopSignal'];
  if (Object.keys(lifecycle).length === 0) delete container['lifecycle'];
}
