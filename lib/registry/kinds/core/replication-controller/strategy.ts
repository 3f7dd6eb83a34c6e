import { selectorFromSet } from '#lib/machinery/labels/selector.ts';
import { clone, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, ensure, has } from '#lib/machinery/unstructured.ts';
import { FieldPath, required, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { runsForever, templateMatches } from '../../shared/controller-template.ts';
import { POD_NAMES, finalName, labelNameWarnings } from '../../shared/names.ts';
import { keepField, notGreater, statusStrategy } from '../../shared/status.ts';
import { nonnegative } from '../../shared/validate.ts';
import { defaultPodTemplate } from '../pod/defaults.ts';
import { dropDisabledTemplateFields } from '../pod/dropped-fields.ts';
import { podValidationOptions } from '../pod/options.ts';
import { validatePodTemplateSpec } from '../pod/validation/template.ts';
import { generationChanged, podTemplateWarnings } from '../pod/warnings.ts';

const SPEC = FieldPath.of('spec');
const TEMPLATE = SPEC.child('template');
const STATUS = FieldPath.of('status');

/** Selector and labels are the template's labels where they are not given. */
function setDefaults(controller: JsonObject): void {
  const spec = ensure(controller, 'spec');
  spec['replicas'] ??= 1;
  const template = objectAt(spec, 'template');
  if (template === undefined) return;
  defaultPodTemplate(template);
  const labels = at(template, 'metadata', 'labels');
  if (labels === undefined) return;
  const metadata = ensure(controller, 'metadata');
  if (Object.keys(objectAt(spec, 'selector') ?? {}).length === 0) spec['selector'] = clone(labels);
  if (Object.keys(objectAt(metadata, 'labels') ?? {}).length === 0) metadata['labels'] = clone(labels);
}

function validateController(controller: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(controller, 'spec') ?? {};
  const selector = objectAt(spec, 'selector') ?? {};
  return [
    ...nonnegative(spec, SPEC, 'minReadySeconds'),
    ...(Object.keys(selector).length === 0 ? [required(SPEC.child('selector'))] : []),
    ...(has(spec, 'replicas') ? nonnegative(spec, SPEC, 'replicas') : [required(SPEC.child('replicas'))]),
    ...validateTemplate(spec, selector, old),
  ];
}

function validateTemplate(spec: JsonObject, selector: JsonObject, old: JsonObject | undefined): FieldError[] {
  const template = objectAt(spec, 'template');
  if (template === undefined) return [required(TEMPLATE)];
  return [
    ...templateMatches(template, selectorFromSet(selector), TEMPLATE),
    ...validatePodTemplateSpec(template, TEMPLATE, podValidationOptions(at(old, 'spec', 'template'), false)),
    ...runsForever(template, TEMPLATE, 'ReplicationController'),
  ];
}

const COUNTS = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function validateStatus(controller: JsonObject): FieldError[] {
  const status = objectAt(controller, 'status');
  return [
    ...nonnegative(status, STATUS, 'replicas', ...COUNTS, 'observedGeneration'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'readyReplicas'),
  ];
}

function warnings(controller: JsonObject, old?: JsonObject): string[] {
  if (old !== undefined && !generationChanged(controller, old)) return [];
  const name = old === undefined ? labelNameWarnings(controller, POD_NAMES) : [];
  // On an update upstream looks at the stored template.
  return [...name, ...podTemplateWarnings(at(old ?? controller, 'spec', 'template'), TEMPLATE)];
}

/** Upstream's pkg/registry/core/replicationcontroller. */
export const replicationControllerStrategy: KindStrategy = {
  default: setDefaults,
  validateName: finalName,
  prepareForCreate(controller) {
    controller['status'] = { replicas: 0 };
    dropDisabledTemplateFields(at(controller, 'spec', 'template'), undefined);
  },
  prepareForUpdate(controller, old) {
    keepField(controller, old, 'status');
    dropDisabledTemplateFields(at(controller, 'spec', 'template'), at(old, 'spec', 'template'));
  },
  validate: (controller) => validateController(controller),
  validateUpdate: validateController,
  warnings,
  defaultPropagation: 'orphan',
  selectableFields: (controller) => ({ 'status.replicas': String(count(objectAt(controller, 'status'), 'replicas')) }),
  subresources: { status: statusStrategy(validateStatus) },
};
