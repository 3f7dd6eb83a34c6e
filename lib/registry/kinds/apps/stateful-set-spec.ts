import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import { invalid, notSupported, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { validateAnnotations } from '#lib/machinery/validation/object-meta.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validatePodAnnotations } from '../core/pod/validation/annotations.ts';
import { validatePodTemplateSpec } from '../core/pod/validation/template.ts';
import { runsForever, templateMatches } from '../shared/controller-template.ts';
import { amountOf, intOrPercent, notAboveAll, validateIntOrPercent } from '../shared/int-or-percent.ts';
import { parseLabelSelector, shownSelector, validateOwnSelector } from '../shared/label-selector.ts';
import { validateClaimSpec } from '../shared/persistent-volume-claim-spec.ts';
import { dns1123Label, each, nonnegative } from '../shared/validate.ts';

export interface StatefulSetOptions {
  /** The stored template, of an update. */
  readonly old: JsonObject | undefined;
  /** Service name and claim templates cannot change, so an update does not look at them. */
  readonly isUpdate: boolean;
  /** The stored set is invalid already. */
  readonly skipTemplate: boolean;
}

export function validateStatefulSetSpec(spec: JsonObject, path: FieldPath, options: StatefulSetOptions): FieldError[] {
  const service = text(spec, 'serviceName');
  return [
    ...managementPolicy(text(spec, 'podManagementPolicy'), path.child('podManagementPolicy')),
    ...updateStrategy(objectAt(spec, 'updateStrategy') ?? {}, path.child('updateStrategy')),
    ...retentionPolicy(objectAt(spec, 'persistentVolumeClaimRetentionPolicy'), path),
    ...(options.isUpdate ? [] : claimTemplates(spec, path)),
    ...nonnegative(spec, path, 'replicas', 'minReadySeconds'),
    ...ordinals(objectAt(spec, 'ordinals'), path),
    ...(options.isUpdate || service === '' ? [] : dns1123Label(service, path.child('serviceName'))),
    ...selectorAndTemplate(spec, path, options),
    ...runsForever(objectAt(spec, 'template'), path.child('template'), 'StatefulSet'),
  ];
}

function managementPolicy(policy: string, path: FieldPath): FieldError[] {
  if (policy === '') return [required(path)];
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function updateStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const rolling = objectAt(strategy, 'rollingUpdate');
  const where = path.child('rollingUpdate');
  const type = text(strategy, 'type');
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

/** As Go's JSON has the internal type. */
function shownRolling(rolling: JsonObject): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Partition', intOrPercent(rolling, 'partition')],
    ['MaxUnavailable', has(rolling, 'maxUnavailable') ? intOrPercent(rolling, 'maxUnavailable') : null],
  ]);
}

function rollingUpdate(rolling: JsonObject, path: FieldPath): FieldError[] {
  const errors = nonnegative(rolling, path, 'partition');
  if (!has(rolling, 'maxUnavailable')) return errors;
  const amount = intOrPercent(rolling, 'maxUnavailable');
  return [
    ...errors,
    ...validateIntOrPercent(rolling, 'maxUnavailable', path),
    ...(amountOf(amount) === 0 ? [invalid(path.child('maxUnavailable'), amount, 'cannot be 0')] : []),
    ...notAboveAll(rolling, 'maxUnavailable', path),
  ];
}

const RETENTIONS = ['Retain', 'Delete'];

function retentionPolicy(policy: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (policy === undefined) return [];
  return ['whenDeleted', 'whenScaled'].flatMap((field) => {
    const value = text(policy, field);
    if (RETENTIONS.includes(value)) return [];
    return [notSupported(path.child('persistentVolumeClaimRetentionPolicy', field), value, RETENTIONS)];
  });
}

function claimTemplates(spec: JsonObject, path: FieldPath): FieldError[] {
  return each(items(spec, 'volumeClaimTemplates'), path.child('volumeClaimTemplates'), (claim, at) =>
    validateClaimSpec(objectAt(claim, 'spec') ?? {}, at.child('spec')),
  );
}

function ordinals(value: JsonObject | undefined, path: FieldPath): FieldError[] {
  // Upstream names the field with the dot in it; the text is the same.
  return value === undefined ? [] : nonnegative(value, path.child('ordinals'), 'start');
}

function selectorAndTemplate(spec: JsonObject, path: FieldPath, options: StatefulSetOptions): FieldError[] {
  const selector = objectAt(spec, 'selector');
  const errors = validateOwnSelector(selector, path.child('selector'), 'statefulset');
  const parsed = parseLabelSelector(selector);
  if (parsed === undefined) return [...errors, invalid(path.child('selector'), shownSelector(selector), '')];
  const template = effectiveTemplate(spec);
  const where = path.child('template');
  return [...errors, ...templateMatches(template, parsed, where), ...validateTemplate(template, where, options)];
}

/** Labels and annotations are looked at twice, as upstream does. */
function validateTemplate(
  template: JsonObject,
  path: FieldPath,
  { old, skipTemplate }: StatefulSetOptions,
): FieldError[] {
  const options = podValidationOptions(old, false);
  const metadata = objectAt(template, 'metadata');
  const annotations = path.child('annotations');
  return [
    ...(skipTemplate ? [] : validatePodTemplateSpec(template, path, options)),
    ...validateLabels(objectAt(metadata, 'labels'), path.child('labels')),
    ...validateAnnotations(objectAt(metadata, 'annotations'), annotations),
    ...validatePodAnnotations(metadata, objectAt(template, 'spec') ?? {}, annotations, options),
  ];
}

/** The template as the controller will use it: with a volume per claim template, and names of its own. */
function effectiveTemplate(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template') ?? {};
  const podSpec = { ...objectAt(template, 'spec') };
  delete podSpec['subdomain'];
  delete podSpec['hostname'];
  const names = new Set(items(spec, 'volumeClaimTemplates').map((claim) => text(objectAt(claim, 'metadata'), 'name')));
  if (names.size > 0) {
    const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    podSpec['volumes'] = [...claims, ...items(podSpec, 'volumes').filter((volume) => !names.has(text(volume, 'name')))];
  }
  return { ...template, spec: podSpec };
}
