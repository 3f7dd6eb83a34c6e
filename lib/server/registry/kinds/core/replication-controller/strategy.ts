import type { ReplicationController, ReplicationControllerSpec } from '#lib/api/types/core.v1.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { selectorFromSet } from '#lib/machinery/labels/selector.ts';
import { type FieldError, FieldPath, required } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { runsForever, templateMatches } from '../../shared/controller-template.ts';
import { finalName, labelNameWarnings, POD_NAMES } from '../../shared/names.ts';
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

/** Upstream's SetDefaults_ReplicationController: absent selector and labels default to the template's labels. */
function setDefaults({ metadata, spec }: ReplicationController): void {
  spec.replicas ??= 1;
  const { template } = spec;
  if (template === undefined) return;
  defaultPodTemplate(template);
  const { labels } = template.metadata;
  if (labels === undefined) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = clone(labels);
  if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = clone(labels);
}

function validateController({ spec }: ReplicationController, old?: ReplicationController): FieldError[] {
  return [
    ...nonnegative(spec, SPEC, 'minReadySeconds'),
    ...(Object.keys(spec.selector ?? {}).length === 0 ? [required(SPEC.child('selector'))] : []),
    ...(spec.replicas === undefined ? [required(SPEC.child('replicas'))] : nonnegative(spec, SPEC, 'replicas')),
    ...validateTemplate(spec, old?.spec),
  ];
}

function validateTemplate(
  { template, selector }: ReplicationControllerSpec,
  old: ReplicationControllerSpec | undefined,
): FieldError[] {
  if (template === undefined) return [required(TEMPLATE)];
  return [
    ...templateMatches(template, selectorFromSet(selector), TEMPLATE),
    ...validatePodTemplateSpec(template, TEMPLATE, podValidationOptions(old?.template, false)),
    ...runsForever(template, TEMPLATE, 'ReplicationController'),
  ];
}

const COUNTS = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

function validateStatus({ status }: ReplicationController): FieldError[] {
  return [
    ...nonnegative(status, STATUS, 'replicas', ...COUNTS, 'observedGeneration'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'readyReplicas'),
  ];
}

function warnings(controller: ReplicationController, old?: ReplicationController): string[] {
  if (old !== undefined && !generationChanged(controller, old)) return [];
  const name = old === undefined ? labelNameWarnings(controller, POD_NAMES) : [];
  // On an update, upstream checks the stored template.
  return [...name, ...podTemplateWarnings((old ?? controller).spec.template, TEMPLATE)];
}

/** Upstream's pkg/registry/core/replicationcontroller. */
export const replicationControllerStrategy: KindStrategy<ReplicationController> = {
  default: setDefaults,
  validateName: finalName,
  prepareForCreate(controller) {
    controller.status = { replicas: 0 };
    dropDisabledTemplateFields(controller.spec.template, undefined);
  },
  prepareForUpdate(controller, old) {
    keepField(controller, old, 'status');
    dropDisabledTemplateFields(controller.spec.template, old.spec.template);
  },
  validate: (controller) => validateController(controller),
  validateUpdate: validateController,
  warnings,
  defaultPropagation: 'orphan',
  selectableFields: (controller) => ({ 'status.replicas': String(controller.status.replicas) }),
  subresources: { status: statusStrategy(validateStatus) },
};
