import type { Toleration } from '#lib/api/types/core.v1.ts';
import type { Overhead, RuntimeClass, Scheduling } from '#lib/api/types/node.v1.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { duplicate, type FieldError, FieldPath, required } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validateContainerResources } from '../core/pod/validation/resources.ts';
import { validateTolerations } from '../core/pod/validation/tolerations.ts';
import { REPLACED_NODE_LABELS } from '../shared/node-labels.ts';
import { immutable } from '../shared/semantic.ts';
import { dns1123Label, each } from '../shared/validate.ts';

const HANDLER = FieldPath.of('handler');
const OVERHEAD = FieldPath.of('overhead');
const SCHEDULING = FieldPath.of('scheduling');

function validate(runtime: RuntimeClass): FieldError[] {
  const handler = runtime.handler;
  return [
    ...(handler === '' ? [required(HANDLER)] : dns1123Label(handler, HANDLER)),
    ...overhead(runtime.overhead),
    ...scheduling(runtime.scheduling),
  ];
}

/** Validates a runtime's overhead like a container's limits. Its errors call it "limits". */
function overhead(cost: Overhead | undefined): FieldError[] {
  const limits = cost?.podFixed;
  if (limits === undefined) return [];
  const scope = { claimNames: new Set<string>(), options: podValidationOptions(undefined, false) };
  return validateContainerResources({ limits }, OVERHEAD, scope);
}

function scheduling(rules: Scheduling | undefined): FieldError[] {
  if (rules === undefined) return [];
  const path = SCHEDULING.child('tolerations');
  const tolerations = rules.tolerations ?? [];
  const seen = new Set<string>();
  return [
    ...validateLabels(rules.nodeSelector, SCHEDULING.child('nodeSelector')),
    ...validateTolerations(tolerations, path, podValidationOptions(undefined, false)),
    ...each(tolerations, path, (toleration, where) => {
      const key = [toleration.key, toleration.operator, toleration.value, toleration.effect]
        .map((part) => part ?? '')
        .join('\n');
      if (seen.has(key)) return [duplicate(where, shown(toleration))];
      seen.add(key);
      return [];
    }),
  ];
}

const shown = (toleration: Toleration): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['Key', toleration.key ?? ''],
    ['Operator', toleration.operator ?? ''],
    ['Value', toleration.value ?? ''],
    ['Effect', toleration.effect ?? ''],
    ['TolerationSeconds', toleration.tolerationSeconds ?? null],
  ]);

/** Upstream's GetWarningsForRuntimeClass. The warning does not name the label. */
const warnings = (runtime: RuntimeClass): string[] =>
  sortedEntries(runtime.scheduling?.nodeSelector).flatMap(([key]) => {
    const message = REPLACED_NODE_LABELS.get(key);
    return message === undefined ? [] : [`${SCHEDULING.child('nodeSelector')}: ${message}`];
  });

/** Upstream's pkg/registry/node/runtimeclass. */
export const runtimeClassStrategy: KindStrategy<RuntimeClass> = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate,
  warnings,
  validateUpdate: (runtime, old) => [...validate(runtime), ...immutable(runtime, old, 'handler', FieldPath.of(''))],
};
