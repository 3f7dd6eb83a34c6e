import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { entries, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, duplicate, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateTolerations } from '../core/pod/validation/tolerations.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validateContainerResources } from '../core/pod/validation/resources.ts';
import { REPLACED_NODE_LABELS } from '../shared/node-labels.ts';
import { immutable } from '../shared/semantic.ts';
import { dns1123Label, each } from '../shared/validate.ts';

const HANDLER = FieldPath.of('handler');
const OVERHEAD = FieldPath.of('overhead');
const SCHEDULING = FieldPath.of('scheduling');

function validate(runtime: JsonObject): FieldError[] {
  const handler = text(runtime, 'handler');
  return [
    ...(handler === '' ? [required(HANDLER)] : dns1123Label(handler, HANDLER)),
    ...overhead(objectAt(runtime, 'overhead')),
    ...scheduling(objectAt(runtime, 'scheduling')),
  ];
}

/** What a runtime costs is named like a container's limits, and in errors called so. */
function overhead(cost: JsonObject | undefined): FieldError[] {
  const limits = objectAt(cost, 'podFixed');
  if (limits === undefined) return [];
  const scope = { claimNames: new Set<string>(), options: podValidationOptions(undefined, false) };
  return validateContainerResources({ limits }, OVERHEAD, scope);
}

function scheduling(rules: JsonObject | undefined): FieldError[] {
  if (rules === undefined) return [];
  const path = SCHEDULING.child('tolerations');
  const tolerations = items(rules, 'tolerations');
  const seen = new Set<string>();
  return [
    ...validateLabels(objectAt(rules, 'nodeSelector'), SCHEDULING.child('nodeSelector')),
    ...validateTolerations(tolerations, path, podValidationOptions(undefined, false)),
    ...each(tolerations, path, (toleration, where) => {
      const key = ['key', 'operator', 'value', 'effect'].map((field) => text(toleration, field)).join('\n');
      if (seen.has(key)) return [duplicate(where, shown(toleration))];
      seen.add(key);
      return [];
    }),
  ];
}

const shown = (toleration: JsonObject): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['Key', text(toleration, 'key')],
    ['Operator', text(toleration, 'operator')],
    ['Value', text(toleration, 'value')],
    ['Effect', text(toleration, 'effect')],
    ['TolerationSeconds', toleration['tolerationSeconds'] ?? null],
  ]);

/** Upstream's GetWarningsForRuntimeClass: it does not name the label. */
const warnings = (runtime: JsonObject): string[] =>
  entries(objectAt(runtime, 'scheduling'), 'nodeSelector').flatMap(([key]) => {
    const message = REPLACED_NODE_LABELS.get(key);
    return message === undefined ? [] : [`${SCHEDULING.child('nodeSelector')}: ${message}`];
  });

/** Upstream's pkg/registry/node/runtimeclass. */
export const runtimeClassStrategy: KindStrategy = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate,
  warnings,
  validateUpdate: (runtime, old) => [...validate(runtime), ...immutable(runtime, old, 'handler', FieldPath.of(''))],
};
