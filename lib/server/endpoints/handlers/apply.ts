import { applySteps } from '#lib/api/patch/apply/apply-patch.ts';
import { conversionText } from '#lib/api/patch/go-conversion.ts';
import { StatusError, unclassified } from '#lib/machinery/errors.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { inTurns, type Steps } from '#lib/machinery/steps.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { ensureMetadata, ensureNamespace } from '#lib/server/registry/rest/meta.ts';
import type { Transform } from '#lib/server/registry/store/update.ts';
import { type Applied, appliedSteps, reportDuplicates } from '../applied-body.ts';
import { checkAppliedType } from '../applied-type.ts';
import { complete } from '../body-bound.ts';
import type { WriteOptions } from '../options.ts';
import type { Scope } from '../scope.ts';
import { checkName, conversions, resets } from './create.ts';

/** Server-side apply: merges the applied configuration into the live object, or creates the object. */
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
    checkAppliedType(scheme.kind, applied);
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
    const object = converted(scope, { applied, merged, live });
    yield;
    reportDuplicates(duplicates, options.fieldValidation, context.warn);
    checkName(object, context.info.name);
    ensureNamespace(ensureMetadata(object), definition.namespaced ? context.info.namespace : '');
    return object;
  }
  return (live) => inTurns(merge(live), op.request.turn);
}

interface Merged {
  readonly applied: JsonObject;
  readonly merged: JsonObject;
  readonly live: JsonObject | undefined;
}

/**
 * Converts the merged object to its kind, fills in defaults and bounds the result. Throws 413. If the kind cannot represent it, throws upstream's plain 500 because the merge had accepted it.
 * The error names the configuration.
 */
function converted({ definition }: Scope, { applied, merged, live }: Merged): JsonObject {
  const { scheme } = definition;
  try {
    const object = scheme.merged(merged);
    complete(scheme, object, live);
    return object;
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    const gvk = `${apiVersion(scheme.kind).replace(/^v/, '/v')}, Kind=${scheme.kind.kind}`;
    const why = conversionText(scheme.kind, merged, error.message);
    throw unclassified(
      `failed to convert new object (${namespaceOf(applied)}/${nameOf(applied)}; ${gvk}) to proper version: unable to convert unstructured object to ${gvk}: ${why}`,
    );
  }
}
