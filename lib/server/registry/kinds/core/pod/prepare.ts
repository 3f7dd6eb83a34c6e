import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { appArmorProfileOf, appArmorWarning } from './app-armor.ts';
import { aliasServiceAccount } from './defaults.ts';
import { dropDisabledFields } from './dropped-fields.ts';
import { podQOS } from './qos.ts';
import { podAffinityTerms } from './validation/affinity.ts';
import { APP_ARMOR_PREFIX } from './validation/annotations.ts';
import type { LabelKeys } from './validation/label-keys.ts';
import { containersOf } from './validation/visit.ts';

/** Sets the phase to Pending and the immutable QoS class, and turns label keys into selector requirements. */
export function prepareForCreate(pod: Pod, context: RequestContext): void {
  const { metadata, spec } = pod;
  aliasServiceAccount(spec);
  pod.status = { phase: 'Pending', qosClass: podQOS(spec) };
  dropDisabledFields(spec, undefined);
  if ((spec.schedulingGates ?? []).length > 0) pod.status.conditions = [gatedCondition(context)];
  for (const term of podAffinityTerms(spec)) mergeLabelKeys(term, metadata.labels);
  for (const constraint of spec.topologySpreadConstraints ?? []) mergeLabelKeys(constraint, metadata.labels);
  syncAppArmor(pod, context);
}

const gatedCondition = ({ now }: RequestContext): PodCondition => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: timeOf(now),
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

/** Adds a selector requirement for each key, with the pod's own label value. */
function mergeLabelKeys(term: LabelKeys, labels: Record<string, string> | undefined): void {
  const selector = term.labelSelector;
  if (selector === undefined) return;
  const requirements = (keys: readonly string[] | undefined, operator: string) =>
    (keys ?? []).flatMap((key) => {
      const value = ownField(labels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const merged = [...requirements(term.matchLabelKeys, 'In'), ...requirements(term.mismatchLabelKeys, 'NotIn')];
  if (merged.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...merged];
}

const ANNOTATIONS = FieldPath.of('metadata', 'annotations');

/**
 * Copies AppArmor annotations to fields, unless the container has a field or the pod's profile is equal. Warns at once, because afterwards
 * every annotation has a field.
 */
function syncAppArmor({ metadata, spec }: Pod, { warn }: RequestContext): void {
  if (spec.os?.name === 'windows') return;
  const podProfile = spec.securityContext?.appArmorProfile;
  for (const container of containersOf(spec)) {
    const key = `${APP_ARMOR_PREFIX}${container.name}`;
    const annotation = ownField(metadata.annotations, key);
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) continue;
    const profile = appArmorProfileOf(annotation);
    if (profile !== undefined && semanticEqual(profile, podProfile)) continue;
    warn(appArmorWarning(ANNOTATIONS.key(key)));
    if (profile !== undefined) (container.securityContext ??= {}).appArmorProfile = profile;
  }
}
