import { isRecognizedFormat } from '#lib/api/schema/formats.ts';
import { schemaHas } from '#lib/api/schema/json-schema-props.ts';
import { typedObject } from '#lib/api/typed.ts';
import { type CustomResourceDefinition } from '#lib/api/types/apiextensions.v1.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '#lib/api/types/resources.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone, equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { type FieldError, invalid } from '#lib/machinery/validation/field.ts';
import type { KindStrategies, KindStrategy } from '#lib/server/registry/strategy.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { setCondition } from './conditions.ts';
import { setDefaults } from './defaults.ts';
import { parseDefinition } from './definition.ts';
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './validation/validate.ts';

/** The finalizer that keeps a definition until its objects are deleted. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** Upstream's strategy of CustomResourceDefinitions. */
export const customResourceDefinition: KindStrategy = {
  default: setDefaults,
  beginDeletion,
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  prepareForCreate(crd) {
    crd['status'] = { acceptedNames: { kind: '', plural: '' }, conditions: null, storedVersions: null };
    storeVersion(crd);
  },
  prepareForUpdate(crd, old) {
    crd['status'] = clone(typed(old).status);
    storeVersion(crd);
  },
  validationSteps,
  warnings: formatWarnings,
  subresources: {
    status: {
      prepareForUpdate(crd, old) {
        crd['spec'] = clone(typed(old).spec);
      },
      validateUpdate: (crd) => validateDefinitionStatus(crd),
    },
  },
};

/** The strategies that API extensions add to the registry's. */
export const apiextensionsStrategies: KindStrategies = {
  'apiextensions.k8s.io/customresourcedefinitions': customResourceDefinition,
};

/** Returns all errors of a new definition, or of an update. Pauses between the parts of the checks. */
export function* validationSteps(crd: JsonObject, old: JsonObject | undefined): Steps<FieldError[]> {
  if (old !== undefined) return yield* validateDefinitionUpdate(crd, old);
  return [...nameErrors(crd), ...(yield* validateDefinition(crd))];
}

const typed = (crd: JsonObject): CustomResourceDefinition => typedObject(CUSTOM_RESOURCE_DEFINITIONS, crd);

/** Adds the storage version to the stored versions. */
function storeVersion(crd: JsonObject): void {
  const { spec, status } = typed(crd);
  const name = spec.versions?.find(({ storage }) => storage)?.name;
  const stored = status.storedVersions ?? [];
  if (name !== undefined && !stored.includes(name)) status.storedVersions = [...stored, name];
}

/**
 * Adds the finalizer. Upstream adds it when deletion begins. Adding it on creation also covers a deletion that the server never observes.
 */
function addFinalizer(crd: JsonObject): void {
  const { metadata } = typed(crd);
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(CLEANUP_FINALIZER)) metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
}

/** Marks a definition for deletion, in place: adds the finalizer and the Terminating condition. Its objects are deleted afterwards. */
export function beginDeletion(crd: JsonObject, { now }: Pick<RequestContext, 'now'>): void {
  addFinalizer(crd);
  typed(crd).metadata.deletionTimestamp = timeOf(now);
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  setCondition(crd, { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message }, now);
}

/** Returns errors unless the name consists of the resource and the group. */
function nameErrors(crd: JsonObject): FieldError[] {
  const { spec } = typed(crd);
  const name = nameOf(crd);
  const expected = `${spec.names.plural}.${spec.group}`;
  if (name === '' || name === expected) return [];
  return [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

/** Returns a warning for each format that is unknown to upstream and that the old definition does not have. */
function formatWarnings(crd: JsonObject, old?: JsonObject): string[] {
  if (old !== undefined && equal(typed(crd).spec, typed(old).spec)) return [];
  const before = new Set(old === undefined ? [] : unrecognizedFormats(old));
  return unrecognizedFormats(crd)
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${quote(format)}`);
}

function unrecognizedFormats(crd: JsonObject): string[] {
  const formats: string[] = [];
  for (const { schema } of parseDefinition(crd).versions) {
    schemaHas(schema?.openAPIV3Schema, ({ type = '', format }) => {
      if (format !== undefined && !isRecognizedFormat(type, format)) formats.push(format);
      return false;
    });
  }
  return formats;
}
