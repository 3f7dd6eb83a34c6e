import type { TypedSchema } from '#lib/api/patch/apply/schema.ts';
import { pruneDefaults } from '#lib/api/schema/defaults-validation.ts';
import { parseProps } from '#lib/api/schema/json-schema-props.ts';
import { type Structural, unsupportedField } from '#lib/api/schema/structural.ts';
import { typedResource } from '#lib/api/schema/typed.ts';
import { defined } from '#lib/machinery/defined.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { compareVersions } from '#lib/machinery/kube-version.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import type { TablePrinter } from '#lib/server/registry/printer.ts';
import type { ObjectScheme, ScaleMapping } from '#lib/server/registry/resource.ts';
import type { KindStrategy } from '#lib/server/registry/strategy.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { Storage } from '#lib/storage/storage.ts';
import type { RuleMetrics } from '../cel/rule-metrics.ts';
import { convertingStorage } from '../conversion/converting-storage.ts';
import { definitionConverter } from '../conversion/definition-converter.ts';
import type { Converter } from '../conversion/webhook.ts';
import { type Names, parseNames, parseVersion, type Version } from '../definition.ts';
import { customResourcePrinter } from './printer.ts';
import { scaleMapping } from './scale.ts';
import { customResourceScheme } from './scheme.ts';
import { selectableFieldsOf, selectorName } from './selectable-fields.ts';
import { customResourceStrategy } from './strategy.ts';

/** One served version of a custom resource, with everything needed to serve it, derived from the definition. */
export interface ServedCustomResource {
  readonly kind: GroupVersionKind;
  readonly names: Names;
  readonly namespaced: boolean;
  readonly storageVersion: string;
  readonly scheme: ObjectScheme;
  readonly strategy: KindStrategy;
  readonly printer: TablePrinter;
  readonly selectableFields: readonly string[];
  readonly hasStatus: boolean;
  readonly scale?: ScaleMapping;
  readonly deprecationWarning?: string;
  /** The schema for publishing. Undefined if the version has no structural schema. */
  readonly schema: () => Structural | undefined;
  readonly preserveUnknownFields: boolean;
  /** Present with a conversion webhook. Wraps a storage so that its objects are in this version. */
  readonly converted?: (storage: Storage) => Storage;
}

/** The ports of served definitions. Without `webhooks`, no definition converts with a webhook. */
export interface ServingPorts {
  readonly webhooks?: WebhookClient | undefined;
  readonly ruleMetrics?: RuleMetrics | undefined;
  /** Receives warnings about a definition for the operator. */
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * Returns the served versions of an established definition, under its accepted names. `read` returns the definition again when the schema
 * of a version is first needed. A definition that is only listed therefore needs no schema in memory. The result does not retain `crd`
 * itself.
 */
export function servedVersions(
  crd: JsonObject,
  read: () => JsonObject = () => crd,
  { webhooks, ruleMetrics, warn }: ServingPorts = {},
): ServedCustomResource[] {
  const versions = versionsOf(crd).map((version) => parseVersion({ ...version, schema: null }));
  const schemas = new Map(versions.map(({ name }) => [name, once(() => servedSchema(read(), name))]));
  const preserve = objectAt(crd, 'spec')?.['preserveUnknownFields'] === true;
  const typed = new Map(versions.map(({ name }) => [name, once(() => typedResource(schemas.get(name)?.(), preserve))]));
  const converter = definitionConverter(crd, webhooks);
  return versions
    .filter(({ served }) => served)
    .map((version) => servedVersion({ crd, version, versions, schemas, typed, converter, ruleMetrics, warn }));
}

const versionsOf = (crd: JsonObject): JsonObject[] => arrayAt(objectAt(crd, 'spec'), 'versions').filter(isObject);

/** Defaults of old definitions may have fields that their schema does not contain. */
function servedSchema(crd: JsonObject, name: string): Structural | undefined {
  const version = versionsOf(crd).find((item) => stringAt(item, 'name') === name);
  const json = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
  const props = json === undefined ? undefined : parseProps(json);
  if (props === undefined || unsupportedField(props) !== undefined) return undefined;
  pruneDefaults(props);
  return props;
}

/** Caches the result of `make`, including undefined. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

interface VersionSource {
  readonly crd: JsonObject;
  readonly version: Version;
  readonly versions: readonly Version[];
  readonly schemas: ReadonlyMap<string, () => Structural | undefined>;
  readonly typed: ReadonlyMap<string, () => TypedSchema>;
  readonly converter: Converter | undefined;
  readonly ruleMetrics: RuleMetrics | undefined;
  readonly warn: ServingPorts['warn'];
}

function servedVersion(source: VersionSource): ServedCustomResource {
  const { crd, version, versions, schemas, typed, converter, ruleMetrics, warn } = source;
  const spec = objectAt(crd, 'spec');
  const names = parseNames(objectAt(objectAt(crd, 'status'), 'acceptedNames'));
  const kind = { group: stringAt(spec, 'group') ?? '', version: version.name, kind: names.kind };
  const schema = schemas.get(version.name) ?? (() => undefined);
  const subresources = version.subresources ?? { status: false };
  const storageVersion = versions.find(({ storage }) => storage)?.name ?? version.name;
  const preserveUnknownFields = spec?.['preserveUnknownFields'] === true;
  const { uid = '', generation = 0 } = objectAt(crd, 'metadata') ?? {};
  const revision = `${String(uid)}/${String(generation)}`;
  const warning = deprecationWarning(version, kind, versions);
  const { scale } = subresources;
  const conversion = { kind, schemas, storageVersion, preserveUnknownFields };
  return {
    kind,
    names,
    namespaced: stringAt(spec, 'scope') === 'Namespaced',
    storageVersion,
    schema,
    preserveUnknownFields,
    scheme: customResourceScheme({ ...conversion, typed, revision, ...defined({ converter }) }),
    ...(converter === undefined
      ? {}
      : { converted: (storage: Storage) => convertingStorage(storage, conversion, converter) }),
    strategy: customResourceStrategy({
      kind,
      schema,
      subresources,
      selectableFields: selectableFieldsOf(version.selectableFields),
      ruleMetrics,
    }),
    printer: customResourcePrinter(version.additionalPrinterColumns, (text) =>
      warn?.(`${names.plural}.${kind.group} ${kind.version}: ${text}`),
    ),
    selectableFields: version.selectableFields.map(selectorName),
    hasStatus: subresources.status,
    ...(scale === undefined ? {} : { scale: scaleMapping(scale) }),
    ...defined({ deprecationWarning: warning }),
  };
}

function deprecationWarning(
  { deprecated, deprecationWarning: given }: Version,
  kind: GroupVersionKind,
  versions: readonly Version[],
): string | undefined {
  if (!deprecated) return undefined;
  if (given !== undefined) return given;
  const better = versions
    .filter((other) => other.served && !other.deprecated && compareVersions(other.name, kind.version) < 0)
    .sort((a, b) => compareVersions(a.name, b.name))[0];
  const use = better === undefined ? '' : `; use ${apiVersion({ ...kind, version: better.name })} ${kind.kind}`;
  return `${apiVersion(kind)} ${kind.kind} is deprecated${use}`;
}
