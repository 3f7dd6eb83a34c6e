import { arrayAt, isObject, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import type { TablePrinter } from '#lib/registry/printer.ts';
import type { ObjectScheme, ScaleMapping } from '#lib/registry/resource.ts';
import type { KindStrategy } from '#lib/registry/strategy.ts';
import { pruneDefaults } from '#lib/schema/defaults-validation.ts';
import { unsupportedField, type Structural } from '#lib/schema/structural.ts';
import { parseNames, parseVersion, type Names, type Version } from '../definition.ts';
import { customResourcePrinter } from './printer.ts';
import { scaleMapping } from './scale.ts';
import { customResourceScheme } from './scheme.ts';
import { selectableFieldsOf, selectorName } from './selectable-fields.ts';
import { customResourceStrategy } from './strategy.ts';

/** One served version of a custom resource: all that serving it needs, made from the definition. */
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
  /** For publishing; undefined where the version has none that is structural. */
  readonly schema: Structural | undefined;
  readonly preserveUnknownFields: boolean;
}

/**
 * The served versions of an established definition, by its accepted names. Schemas are parsed here and compiled when the
 * first object comes.
 */
export function servedVersions(crd: JsonObject): ServedCustomResource[] {
  const versions = arrayAt(objectAt(crd, 'spec'), 'versions').filter(isObject).map(parseVersion);
  const schemas = new Map(versions.map((version) => [version.name, servedSchema(version)]));
  return versions.filter(({ served }) => served).map((version) => servedVersion(crd, version, versions, schemas));
}

/** Defaults of old definitions may have fields that their schema does not know. */
function servedSchema({ schema }: Version): Structural | undefined {
  const props = schema?.openAPIV3Schema;
  if (props === undefined || unsupportedField(props) !== undefined) return undefined;
  pruneDefaults(props);
  return props;
}

function servedVersion(
  crd: JsonObject,
  version: Version,
  versions: readonly Version[],
  schemas: ReadonlyMap<string, Structural | undefined>,
): ServedCustomResource {
  const spec = objectAt(crd, 'spec');
  const names = parseNames(objectAt(objectAt(crd, 'status'), 'acceptedNames'));
  const kind = { group: stringAt(spec, 'group') ?? '', version: version.name, kind: names.kind };
  const schema = schemas.get(version.name);
  const subresources = version.subresources ?? { status: false };
  const storageVersion = versions.find(({ storage }) => storage)?.name ?? version.name;
  const preserveUnknownFields = spec?.['preserveUnknownFields'] === true;
  const { uid = '', generation = 0 } = objectAt(crd, 'metadata') ?? {};
  const revision = `${String(uid)}/${String(generation)}`;
  const warning = deprecationWarning(version, kind);
  const { scale } = subresources;
  return {
    kind,
    names,
    namespaced: stringAt(spec, 'scope') === 'Namespaced',
    storageVersion,
    schema,
    preserveUnknownFields,
    scheme: customResourceScheme({ kind, schemas, storageVersion, preserveUnknownFields, revision }),
    strategy: customResourceStrategy({
      kind,
      schema,
      subresources,
      selectableFields: selectableFieldsOf(version.selectableFields),
    }),
    printer: customResourcePrinter(version.additionalPrinterColumns),
    selectableFields: version.selectableFields.map(selectorName),
    hasStatus: subresources.status,
    ...(scale === undefined ? {} : { scale: scaleMapping(scale) }),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
  };
}

function deprecationWarning(
  { deprecated, deprecationWarning: given }: Version,
  kind: GroupVersionKind,
): string | undefined {
  if (!deprecated) return undefined;
  return given ?? `${apiVersion(kind)} ${kind.kind} is deprecated`;
}
