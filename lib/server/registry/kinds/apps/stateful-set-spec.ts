import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetOrdinals,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from '#lib/api/types/apps.v1.ts';
import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { validateAnnotations } from '#lib/machinery/validation/object-meta.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validatePodAnnotations } from '../core/pod/validation/annotations.ts';
import { validatePodTemplateSpec } from '../core/pod/validation/template.ts';
import { runsForever, templateMatches } from '../shared/controller-template.ts';
import { amountOf, notAboveAll, validateIntOrPercent } from '../shared/int-or-percent.ts';
import { parseLabelSelector, shownSelector, validateOwnSelector } from '../shared/label-selector.ts';
import { validateClaimSpec } from '../shared/persistent-volume-claim-spec.ts';
import { dns1123Label, each, nonnegative } from '../shared/validate.ts';

/** The context in which a StatefulSet's spec is validated. */
export interface StatefulSetOptions {
  /** The stored template, on an update. */
  readonly old: PodTemplateSpec | undefined;
  /** Whether to skip service name and claim templates, which an update cannot change. */
  readonly isUpdate: boolean;
  /** Whether the stored set is already invalid. */
  readonly skipTemplate: boolean;
}

/** Upstream's ValidateStatefulSetSpec. */
export function validateStatefulSetSpec(
  spec: StatefulSetSpec,
  path: FieldPath,
  options: StatefulSetOptions,
): FieldError[] {
  const service = spec.serviceName;
  return [
    ...managementPolicy(spec.podManagementPolicy ?? '', path.child('podManagementPolicy')),
    ...updateStrategy(spec.updateStrategy, path.child('updateStrategy')),
    ...retentionPolicy(spec.persistentVolumeClaimRetentionPolicy, path),
    ...(options.isUpdate ? [] : claimTemplates(spec, path)),
    ...nonnegative(spec, path, 'replicas', 'minReadySeconds'),
    ...ordinals(spec.ordinals, path),
    ...(options.isUpdate || service === '' ? [] : dns1123Label(service, path.child('serviceName'))),
    ...selectorAndTemplate(spec, path, options),
    ...runsForever(spec.template, path.child('template'), 'StatefulSet'),
  ];
}

function managementPolicy(policy: string, path: FieldPath): FieldError[] {
  if (policy === '') return [required(path)];
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function updateStrategy(strategy: StatefulSetUpdateStrategy, path: FieldPath): FieldError[] {
  const rolling = strategy.rollingUpdate;
  const where = path.child('rollingUpdate');
  const type = strategy.type ?? '';
  switch (type) {
    case '':
      return [required(path)];
    case 'OnDelete':
      if (rolling === undefined) return [];
      return [invalid(where, shownRolling(rolling), "only allowed for updateStrategy 'RollingUpdate'")];
    case 'RollingUpdate':
      return rolling === undefined ? [] : rollingUpdate(rolling, where);
    default: {
      const shown = new Map<string, unknown>([
        ['Type', type],
        ['RollingUpdate', rolling === undefined ? null : shownRolling(rolling)],
      ]);
      return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

/** The settings in Go's JSON encoding of their internal type. */
function shownRolling(rolling: RollingUpdateStatefulSetStrategy): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Partition', rolling.partition ?? 0],
    ['MaxUnavailable', rolling.maxUnavailable ?? null],
  ]);
}

function rollingUpdate(rolling: RollingUpdateStatefulSetStrategy, path: FieldPath): FieldError[] {
  const errors = nonnegative(rolling, path, 'partition');
  if (rolling.maxUnavailable === undefined) return errors;
  const amount = rolling.maxUnavailable;
  return [
    ...errors,
    ...validateIntOrPercent(rolling, 'maxUnavailable', path),
    ...(amountOf(amount) === 0 ? [invalid(path.child('maxUnavailable'), amount, 'cannot be 0')] : []),
    ...notAboveAll(rolling, 'maxUnavailable', path),
  ];
}

const RETENTIONS = ['Retain', 'Delete'];

function retentionPolicy(
  policy: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined,
  path: FieldPath,
): FieldError[] {
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const value = policy[field] ?? '';
    if (RETENTIONS.includes(value)) return [];
    return [notSupported(path.child('persistentVolumeClaimRetentionPolicy', field), value, RETENTIONS)];
  });
}

function claimTemplates(spec: StatefulSetSpec, path: FieldPath): FieldError[] {
  return each(spec.volumeClaimTemplates ?? [], path.child('volumeClaimTemplates'), (claim, at) =>
    validateClaimSpec(claim.spec, at.child('spec')),
  );
}

function ordinals(value: StatefulSetOrdinals | undefined, path: FieldPath): FieldError[] {
  // Upstream's field name contains the dot. The message is the same.
  return value === undefined ? [] : nonnegative(value, path.child('ordinals'), 'start');
}

function selectorAndTemplate(spec: StatefulSetSpec, path: FieldPath, options: StatefulSetOptions): FieldError[] {
  const selector = spec.selector ?? undefined;
  const errors = validateOwnSelector(selector, path.child('selector'), 'statefulset');
  const parsed = parseLabelSelector(selector);
  if (parsed === undefined) return [...errors, invalid(path.child('selector'), shownSelector(selector), '')];
  const template = effectiveTemplate(spec);
  const where = path.child('template');
  return [...errors, ...templateMatches(template, parsed, where), ...validateTemplate(template, where, options)];
}

/** Validates labels and annotations twice, as upstream does. */
function validateTemplate(
  template: PodTemplateSpec,
  path: FieldPath,
  { old, skipTemplate }: StatefulSetOptions,
): FieldError[] {
  const options = podValidationOptions(old, false);
  const metadata = template.metadata;
  const annotations = path.child('annotations');
  return [
    ...(skipTemplate ? [] : validatePodTemplateSpec(template, path, options)),
    ...validateLabels(metadata.labels, path.child('labels')),
    ...validateAnnotations(metadata.annotations, annotations),
    ...validatePodAnnotations(metadata, template.spec, annotations, options),
  ];
}

/** The template as the controller uses it: with a volume per claim template, and without host name and subdomain. */
function effectiveTemplate(spec: StatefulSetSpec): PodTemplateSpec {
  const podSpec = { ...spec.template.spec };
  delete podSpec.subdomain;
  delete podSpec.hostname;
  const names = new Set((spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name ?? ''));
  if (names.size > 0) {
    const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    podSpec.volumes = [...claims, ...(podSpec.volumes ?? []).filter((volume) => !names.has(volume.name))];
  }
  return { ...spec.template, spec: podSpec };
}
