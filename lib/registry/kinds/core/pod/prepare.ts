import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, items, text, texts } from '#lib/machinery/unstructured.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import type { StrategyContext } from '../../../strategy.ts';
import { appArmorProfileOf, appArmorWarning } from './app-armor.ts';
import { aliasServiceAccount } from './defaults.ts';
import { dropDisabledFields } from './dropped-fields.ts';
import { podQOS } from './qos.ts';
import { podAffinityTerms } from './validation/affinity.ts';
import { APP_ARMOR_PREFIX } from './validation/annotations.ts';
import { containersOf } from './validation/visit.ts';
import { semanticEqual } from '../../shared/semantic.ts';

/** A new pod is pending, its quality of service settled for life, and selectors by label keys are made explicit. */
export function prepareForCreate(pod: JsonObject, context: StrategyContext): void {
  const spec = ensure(pod, 'spec');
  aliasServiceAccount(spec);
  pod['status'] = { phase: 'Pending', qosClass: podQOS(spec) };
  dropDisabledFields(spec, undefined);
  if (items(spec, 'schedulingGates').length > 0) gatedCondition(pod, context);
  const labels = at(pod, 'metadata', 'labels');
  for (const term of podAffinityTerms(spec)) mergeLabelKeys(term, labels);
  for (const constraint of items(spec, 'topologySpreadConstraints')) mergeLabelKeys(constraint, labels);
  syncAppArmor(pod, spec, context);
}

function gatedCondition(pod: JsonObject, { now }: StrategyContext): void {
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  ensure(pod, 'status')['conditions'] = [condition];
}

const OPERATORS = { matchLabelKeys: 'In', mismatchLabelKeys: 'NotIn' };

/** The pod's own values of the keys become requirements of the selector. */
function mergeLabelKeys(term: JsonObject, labels: JsonObject | undefined): void {
  const selector = objectAt(term, 'labelSelector');
  if (selector === undefined) return;
  const merged = Object.entries(OPERATORS).flatMap(([field, operator]) =>
    texts(term, field).flatMap((key) => {
      const value = stringAt(labels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    }),
  );
  if (merged.length > 0) selector['matchExpressions'] = [...items(selector, 'matchExpressions'), ...merged];
}

const ANNOTATIONS = FieldPath.of('metadata', 'annotations');

/**
 * AppArmor annotations become fields, unless a field or the pod's own profile says the same. The warning comes here: afterwards a field
 * stands beside each annotation.
 */
function syncAppArmor(pod: JsonObject, spec: JsonObject, { warn }: StrategyContext): void {
  if (text(objectAt(spec, 'os'), 'name') === 'windows') return;
  const podProfile = at(spec, 'securityContext', 'appArmorProfile');
  for (const container of containersOf(spec)) {
    const key = `${APP_ARMOR_PREFIX}${text(container, 'name')}`;
    const annotation = stringAt(at(pod, 'metadata', 'annotations'), key);
    if (annotation === undefined || at(container, 'securityContext', 'appArmorProfile') !== undefined) continue;
    const profile = appArmorProfileOf(annotation);
    if (profile !== undefined && semanticEqual(profile, podProfile)) continue;
    warn?.(appArmorWarning(ANNOTATIONS.key(key)));
    if (profile !== undefined) ensure(container, 'securityContext')['appArmorProfile'] = profile;
  }
}
