import {
  arrayAt,
  isObject,
  type JsonObject,
  objectAt,
  ownField,
  setField,
  stringAt,
} from '#lib/machinery/json-value.ts';

/** Upstream's SetDefaults of a CustomResourceDefinition, in place: names, conversion, stored versions. It is idempotent. */
export function setDefaults(crd: JsonObject): void {
  const spec = objectAt(crd, 'spec');
  if (spec === undefined) return;
  defaultNames(spec);
  const conversion = ownField(spec, 'conversion');
  if (!isObject(conversion)) spec.conversion = { strategy: 'None' };
  else defaultPort(conversion);
  defaultStoredVersions(crd, spec);
}

function defaultNames(spec: JsonObject): void {
  const names = objectAt(spec, 'names');
  if (names === undefined) return;
  const kind = stringAt(names, 'kind') ?? '';
  if ((stringAt(names, 'singular') ?? '') === '' && kind !== '') names.singular = kind.toLowerCase();
  if ((stringAt(names, 'listKind') ?? '') === '' && kind !== '') names.listKind = `${kind}List`;
}

function defaultPort(conversion: JsonObject): void {
  const service = objectAt(objectAt(objectAt(conversion, 'webhook'), 'clientConfig'), 'service');
  if (service !== undefined && (service.port ?? null) === null) service.port = 443;
}

function defaultStoredVersions(crd: JsonObject, spec: JsonObject): void {
  const status = objectAt(crd, 'status');
  if (arrayAt(status, 'storedVersions').length > 0) return;
  const stored = arrayAt(spec, 'versions')
    .filter(isObject)
    .find((version) => version.storage === true);
  if (stored === undefined) return;
  setField(crd, 'status', { ...status, storedVersions: [stringAt(stored, 'name') ?? ''] });
}
