import type { DecodedJson } from '#lib/machinery/json-parser.ts';
import { badRequest, StatusError, unclassified } from '#lib/machinery/errors.ts';
import { clone, isObject, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { apiVersion, parseApiVersion } from '#lib/machinery/schema.ts';
import { finished, inTurns, type Steps } from '#lib/machinery/steps.ts';
import { yamlSteps } from '#lib/machinery/yaml.ts';
import { applySteps } from '#lib/patch/apply/apply-patch.ts';
import { conversionText } from '#lib/patch/go-conversion.ts';
import type { OperationContext } from '#lib/registry/rest/context.ts';
import { ensureMetadata, ensureNamespace } from '#lib/registry/rest/meta.ts';
import type { Transform } from '#lib/registry/store/update.ts';
import { MAX_VALUES } from '../body-bound.ts';
import { warnEach } from '../decode-body.ts';
import type { FieldValidation, WriteOptions } from '../options.ts';
import type { Scope } from '../scope.ts';
import { checkName, conversions, resets } from './create.ts';

/** Server-side apply: merges the applied configuration into what is there, or creates it. */
export function applyTransform(
  scope: Scope,
  op: OperationContext,
  options: WriteOptions,
  bytes: Uint8Array,
): Transform {
  const { definition, context } = scope;
  const { scheme } = definition;
  let decoded: Applied | undefined;
  function* merge(live: JsonObject | undefined): Steps<JsonObject> {
    yield;
    decoded ??= yield* appliedSteps(bytes);
    yield;
    const { value: applied, duplicates } = decoded;
    checkType(scope, applied);
    const merged = yield* applySteps({
      live: live ?? {},
      applied: clone(applied),
      manager: op.fieldManager,
      force: options.force === true,
      schema: scheme.typed,
      apiVersion: apiVersion(scheme.kind),
      subresource: op.subresource,
      now: op.now,
      isCreate: live === undefined,
      convert: conversions(definition, op),
      ...resets(definition, op),
    });
    yield;
    const object = converted(scope, applied, merged);
    yield;
    reportDuplicates(duplicates, options.fieldValidation, (text) => context.warnings.add(text));
    checkName(object, context.info.name);
    ensureNamespace(ensureMetadata(object), definition.namespaced ? context.info.namespace : '');
    return object;
  }
  return (live) => inTurns(merge(live), op.turn);
}

/**
 * The merged object as its kind has it. What the kind cannot hold is upstream's plain 500, as the merge had accepted it; it
 * names the configuration.
 */
function converted({ definition }: Scope, applied: JsonObject, merged: JsonObject): JsonObject {
  const { scheme } = definition;
  try {
    return scheme.merged(merged);
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    const gvk = `${apiVersion(scheme.kind).replace(/^v/, '/v')}, Kind=${scheme.kind.kind}`;
    const why = conversionText(scheme.kind, merged, error.message);
    throw unclassified(
      `failed to convert new object (${namespaceOf(applied)}/${nameOf(applied)}; ${gvk}) to proper version: unable to convert unstructured object to ${gvk}: ${why}`,
    );
  }
}

function reportDuplicates(found: readonly string[], mode: FieldValidation, warn: (text: string) => void): void {
  if (found.length === 0 || mode === 'Ignore') return;
  if (mode === 'Strict') {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${found.join(', ')}`);
  }
  warnEach(found, warn);
}

interface Applied {
  readonly value: JsonObject;
  readonly duplicates: readonly string[];
}

/** An applied configuration: YAML, of which JSON is a part. Throws 400. */
export const decodeApplied = (bytes: Uint8Array): Applied => finished(appliedSteps(bytes));

function* appliedSteps(bytes: Uint8Array): Steps<Applied> {
  const { value, duplicates } = yield* readYaml(bytes);
  if (!isObject(value)) throw badRequest('error decoding YAML: the applied configuration is not an object');
  return { value, duplicates };
}

function* readYaml(bytes: Uint8Array): Steps<DecodedJson> {
  try {
    return yield* yamlSteps(bytes, { maxValues: MAX_VALUES });
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

function checkType({ definition }: Scope, applied: JsonObject): void {
  const { kind } = definition.scheme;
  const version = stringAt(applied, 'apiVersion') ?? '';
  const name = stringAt(applied, 'kind') ?? '';
  if (version === apiVersion(kind) && name === kind.kind) return;
  const { group, version: v } = parseApiVersion(version) ?? { group: '', version };
  throw badRequest(`invalid object type: ${group}/${v}, Kind=${name}`);
}
