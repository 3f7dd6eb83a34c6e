import { badRequest } from '#lib/machinery/errors.ts';
import { clone, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion, parseApiVersion } from '#lib/machinery/schema.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { applyPatch } from '#lib/patch/apply/apply-patch.ts';
import type { OperationContext } from '#lib/registry/rest/context.ts';
import { ensureNamespace, metadataOf } from '#lib/registry/rest/meta.ts';
import type { Transform } from '#lib/registry/store/update.ts';
import { report } from '../decode-body.ts';
import type { WriteOptions } from '../options.ts';
import type { Scope } from '../scope.ts';
import { checkName, resets } from './create.ts';

/** Server-side apply: merges the applied configuration into what is there, or creates it. */
export function applyTransform(
  scope: Scope,
  op: OperationContext,
  options: WriteOptions,
  bytes: Uint8Array,
): Transform {
  const { definition, context } = scope;
  const { scheme } = definition;
  const { value: applied, duplicates } = decodeApplied(bytes);
  checkType(scope, applied);
  if (Array.isArray(metadataOf(applied)['managedFields'])) throw badRequest('metadata.managedFields must be nil');
  if (stringAt(objectAt(applied, 'metadata'), 'name') !== undefined) checkName(applied, context.info.name);
  return (live) => {
    const merged = applyPatch({
      live: live ?? {},
      applied: clone(applied),
      manager: op.fieldManager,
      force: options.force === true,
      schema: scheme.typed,
      apiVersion: apiVersion(scheme.kind),
      subresource: op.subresource,
      now: op.now,
      isCreate: live === undefined,
      ...resets(definition, op),
    });
    const decoded = scheme.decode(merged);
    report([...duplicates, ...decoded.unknown], applied, scheme, options.fieldValidation, (text) =>
      context.warnings.add(text),
    );
    scheme.default(decoded.object);
    checkName(decoded.object, context.info.name);
    ensureNamespace(metadataOf(decoded.object), definition.namespaced ? context.info.namespace : '');
    return decoded.object;
  };
}

function decodeApplied(bytes: Uint8Array): { value: JsonObject; duplicates: readonly string[] } {
  const { value, duplicates } = decoded(bytes);
  if (!isObject(value)) throw badRequest('error decoding YAML: the applied configuration is not an object');
  return { value, duplicates };
}

function decoded(bytes: Uint8Array) {
  try {
    return decodeYaml(bytes);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
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
