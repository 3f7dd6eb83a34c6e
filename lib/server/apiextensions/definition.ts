import { type JSONSchemaProps, parseProps } from '#lib/api/schema/json-schema-props.ts';
import { defined } from '#lib/machinery/defined.ts';
import {
  arrayAt,
  equal,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  ownField,
  stringAt,
} from '#lib/machinery/json-value.ts';

/** `CustomResourceDefinitionNames`. Absent names are ''. */
export interface Names {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
  readonly categories: readonly string[];
}

/** An additional printer column. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}

/** The scale subresource of a version. */
export interface Scale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The subresources of a version. */
export interface Subresources {
  readonly status: boolean;
  readonly scale?: Scale;
}

/** Fields of a version that all versions may share. An absent schema means that the `schema` field is absent. */
export interface VersionFields {
  readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns: readonly Column[];
  readonly selectableFields: readonly string[];
}

/** A version of a definition. */
export interface Version extends VersionFields {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning?: string;
}

interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: JsonObject;
  readonly caBundle: string;
}

/** How a definition converts between versions. */
export interface Conversion {
  readonly strategy: string;
  readonly clientConfig?: WebhookClientConfig;
  /** Absent if `webhook` is absent. */
  readonly reviewVersions: readonly string[];
}

/** A decoded CustomResourceDefinition: absent strings are '', absent lists are empty. */
export interface Definition {
  readonly name: string;
  readonly group: string;
  readonly names: Names;
  readonly scope: string;
  readonly versions: readonly Version[];
  readonly conversion?: Conversion;
  readonly preserveUnknownFields: boolean;
  readonly acceptedNames: Names;
  readonly storedVersions: readonly string[];
}

const texts = (values: readonly Json[]): string[] => values.filter((value) => typeof value === 'string');
const text = (object: JsonObject | undefined, field: string): string => stringAt(object, field) ?? '';
const flag = (object: JsonObject | undefined, field: string): boolean => ownField(object, field) === true;

/** Reads a decoded CustomResourceDefinition. Parses the schemas on every call, so keep the result. */
export function parseDefinition(crd: JsonObject): Definition {
  const spec = objectAt(crd, 'spec');
  const status = objectAt(crd, 'status');
  const conversion = objectAt(spec, 'conversion');
  return {
    name: text(objectAt(crd, 'metadata'), 'name'),
    group: text(spec, 'group'),
    names: parseNames(objectAt(spec, 'names')),
    scope: text(spec, 'scope'),
    versions: arrayAt(spec, 'versions').filter(isObject).map(parseVersion),
    ...(conversion === undefined ? {} : { conversion: parseConversion(conversion) }),
    preserveUnknownFields: flag(spec, 'preserveUnknownFields'),
    acceptedNames: parseNames(objectAt(status, 'acceptedNames')),
    storedVersions: texts(arrayAt(status, 'storedVersions')),
  };
}

/** Reads the names of a definition's spec or status. Absent ones are ''. */
export function parseNames(names: JsonObject | undefined): Names {
  return {
    plural: text(names, 'plural'),
    singular: text(names, 'singular'),
    shortNames: texts(arrayAt(names, 'shortNames')),
    kind: text(names, 'kind'),
    listKind: text(names, 'listKind'),
    categories: texts(arrayAt(names, 'categories')),
  };
}

/** Parses one of `spec.versions`. */
export function parseVersion(version: JsonObject): Version {
  const warning = stringAt(version, 'deprecationWarning');
  const schema = objectAt(version, 'schema');
  const props = objectAt(schema, 'openAPIV3Schema');
  const subresources = objectAt(version, 'subresources');
  return {
    name: text(version, 'name'),
    served: flag(version, 'served'),
    storage: flag(version, 'storage'),
    deprecated: flag(version, 'deprecated'),
    ...defined({ deprecationWarning: warning }),
    ...(schema === undefined ? {} : { schema: props === undefined ? {} : { openAPIV3Schema: parseProps(props) } }),
    ...(subresources === undefined ? {} : { subresources: parseSubresources(subresources) }),
    additionalPrinterColumns: arrayAt(version, 'additionalPrinterColumns').filter(isObject).map(parseColumn),
    selectableFields: arrayAt(version, 'selectableFields')
      .filter(isObject)
      .map((item) => text(item, 'jsonPath')),
  };
}

function parseSubresources(subresources: JsonObject): Subresources {
  const scale = objectAt(subresources, 'scale');
  return {
    status: objectAt(subresources, 'status') !== undefined,
    ...(scale === undefined ? {} : { scale: parseScale(scale) }),
  };
}

function parseScale(scale: JsonObject): Scale {
  const labelSelectorPath = stringAt(scale, 'labelSelectorPath');
  return {
    specReplicasPath: text(scale, 'specReplicasPath'),
    statusReplicasPath: text(scale, 'statusReplicasPath'),
    ...defined({ labelSelectorPath }),
  };
}

function parseColumn(column: JsonObject): Column {
  return {
    name: text(column, 'name'),
    type: text(column, 'type'),
    format: text(column, 'format'),
    description: text(column, 'description'),
    priority: Number(ownField(column, 'priority') ?? 0),
    jsonPath: text(column, 'jsonPath'),
  };
}

function parseConversion(conversion: JsonObject): Conversion {
  const webhook = objectAt(conversion, 'webhook');
  const client = objectAt(webhook, 'clientConfig');
  return {
    strategy: text(conversion, 'strategy'),
    reviewVersions: texts(arrayAt(webhook, 'conversionReviewVersions')),
    ...(client === undefined ? {} : { clientConfig: parseClientConfig(client) }),
  };
}

function parseClientConfig(client: JsonObject): WebhookClientConfig {
  const url = stringAt(client, 'url');
  const service = objectAt(client, 'service');
  return {
    caBundle: text(client, 'caBundle'),
    ...defined({ url, service }),
  };
}

const SHARED = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
/** A field that can be set per version, or once for all versions. */
export type SharedField = (typeof SHARED)[number];

/**
 * Returns the fields that upstream's internal form moves from the versions to the spec, because all versions have the same value. Messages
 * about them name the spec. A single version's fields always move.
 */
export function sharedFields(crd: JsonObject): ReadonlySet<SharedField> {
  const [first, ...others] = arrayAt(objectAt(crd, 'spec'), 'versions').filter(isObject);
  if (first === undefined) return new Set();
  return new Set(SHARED.filter((name) => others.every((other) => same(ownField(first, name), ownField(other, name)))));
}

/** Go's semantic equality treats null, absent and empty lists as equal. */
function same(a: Json | undefined, b: Json | undefined): boolean {
  const empty = (value: Json | undefined): boolean =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return empty(a) ? empty(b) : equal(a, b);
}

/** Whether any version has a schema that satisfies `test`. */
export function someSchema(definition: Definition, test: (schema: JSONSchemaProps) => boolean): boolean {
  return definition.versions.some(
    ({ schema }) => schema?.openAPIV3Schema !== undefined && test(schema.openAPIV3Schema),
  );
}
