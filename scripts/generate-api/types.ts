import type { FieldRow, TypeRow } from '#lib/api/row.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { GoFacts, GoField } from './go-facts.ts';
import { messageOfSchema, schemaOfMessage, schemaOfRef, shortName } from './names.ts';
import type { Gvk, Messages, Schema, Sources } from './sources.ts';

/** Messages with a custom JSON form that is a single value. */
const SPECIAL: Readonly<Record<string, string>> = {
  'api.resource.Quantity': 'quantity',
  'meta.v1.Time': 'time',
  'meta.v1.MicroTime': 'microtime',
  'meta.v1.Duration': 'duration',
  'util.intstr.IntOrString': 'intstr',
  'runtime.RawExtension': 'raw',
  'meta.v1.FieldsV1': 'fieldsv1',
  'apiextensions.v1.JSON': 'json',
  'apiextensions.v1.JSONSchemaPropsOrArray': 'schemaorarray',
  'apiextensions.v1.JSONSchemaPropsOrBool': 'schemaorbool',
  'apiextensions.v1.JSONSchemaPropsOrStringArray': 'schemaorstrings',
  'meta.v1.Verbs': '~[]string',
};

/** Types that no document publishes, although requests and responses contain them. */
const UNPUBLISHED = [
  'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
  'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.GetOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.CreateOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.UpdateOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.PatchOptions',
  // Fields of v2 that autoscaling/v1 keeps in annotations.
  'io.k8s.api.autoscaling.v1.MetricSpec',
  'io.k8s.api.autoscaling.v1.MetricStatus',
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerCondition',
];
/** The types of discovery documents. */
const DISCOVERY = ['apidiscovery.v2.APIGroupDiscovery', 'apidiscovery.v2.APIGroupDiscoveryList'];
/** Kinds of the core group that are only query parameters, or are known but not served. */
const UNPUBLISHED_CORE = [
  'NodeProxyOptions',
  'PodAttachOptions',
  'PodExecOptions',
  'PodLogOptions',
  'PodPortForwardOptions',
  'PodProxyOptions',
  'PodStatusResult',
  'RangeAllocation',
  'SerializedReference',
  'ServiceProxyOptions',
];

interface Draft {
  readonly schema: Schema | undefined;
  readonly row: TypeRow;
}

/** The types in the documents, as rows of the generated table. */
export class TypeTable {
  readonly #sources: Sources;
  readonly #go: GoFacts;
  readonly #schemas = new Map<string, Schema>();
  readonly #drafts = new Map<string, Draft>();

  constructor(sources: Sources, go: GoFacts) {
    this.#sources = sources;
    this.#go = go;
    this.#publish(sources.documents);
  }

  #publish(documents: Sources['documents']): void {
    for (const { components } of documents.values()) {
      for (const [name, schema] of Object.entries(components?.schemas ?? {})) this.#schemas.set(name, schema);
    }
  }

  /** Every served type and the types that it embeds, by short name, sorted. */
  rows(): Record<string, TypeRow> {
    for (const name of [...this.#schemas.keys(), ...UNPUBLISHED]) this.#add(name);
    for (const name of DISCOVERY) this.#addKind(name, 'apidiscovery.k8s.io');
    for (const kind of UNPUBLISHED_CORE) this.#addKind(`core.v1.${kind}`, '');
    return sorted(this.#drafts);
  }

  /** The types of kinds that are known but not served, in addition to those in `rows`. */
  unservedRows(): Record<string, TypeRow> {
    const served = this.rows();
    this.#publish(this.#sources.unserved);
    for (const name of this.#schemas.keys()) this.#add(name);
    for (const [name, group] of this.#go.kinds()) this.#addKind(name, group);
    return sorted([...this.#drafts].filter(([name]) => served[name] === undefined));
  }

  #addKind(name: string, group: string): void {
    const [, version = '', kind = ''] = name.split('.');
    this.#add(`io.k8s.api.${name}`);
    Object.assign(this.#drafts.get(name)?.row ?? {}, { k: [group, version, kind], m: 1 });
  }

  #add(schemaName: string, outer?: Schema): void {
    const name = shortName(schemaName);
    if (SPECIAL[name] !== undefined || this.#drafts.has(name)) return;
    const schema = outer ?? this.#schemas.get(schemaName);
    const fields: FieldRow[] = [];
    const row: TypeRow = { f: fields, ...typeExtras(schema) };
    this.#drafts.set(name, { schema, row });
    const message = this.#sources.messages[messageOfSchema(schemaName)];
    if (message === undefined) fields.push(...this.#unnumbered(name, schema));
    else fields.push(...this.#numbered(name, schema, message));
    if (schema?.properties?.['apiVersion'] !== undefined && message?.['apiVersion'] === undefined) row.m = 1;
    if (outer === undefined && schema === undefined && this.#go.hasTypeMeta(name)) row.m = 1;
  }

  /** Lists required fields first, because the documents preserve the order only of those. */
  #unnumbered(owner: string, schema: Schema | undefined): FieldRow[] {
    const properties = schema?.properties ?? {};
    return [...new Set([...(schema?.required ?? []), ...Object.keys(properties)])]
      .filter((name) => name !== 'kind' && name !== 'apiVersion')
      .map((name) => {
        const property = properties[name] ?? {};
        return this.#row(owner, name, publishedType(property), 0, property, schema);
      });
  }

  #numbered(owner: string, schema: Schema | undefined, message: Messages[string]): FieldRow[] {
    const rows: FieldRow[] = [];
    for (const [protoName, [number, type]] of Object.entries(message).sort((a, b) => a[1][0] - b[1][0])) {
      const name = this.#go.jsonName(owner, protoName);
      const property = schema?.properties?.[name];
      const embedded = this.#go.embedded(owner, name);
      if (embedded || (schema !== undefined && property === undefined)) {
        if (this.#go.unpublished(owner, name)) continue;
        rows.push([protoName, this.#embedded(owner, type, schema), number, '^']);
      } else rows.push(this.#row(owner, name, this.#type(owner, type), number, property, schema));
    }
    const order = this.#go.order(owner);
    return rows.sort((a, b) => order.indexOf(a[2]) - order.indexOf(b[2]));
  }

  /** An embedded struct. The documents list its fields in the outer type, but the protobuf messages nest it. */
  #embedded(owner: string, type: string, outer: Schema | undefined): string {
    if (!/^[.A-Z][\w.]*$/.test(type)) throw new Error(`${owner}: a field of type ${type} is not published`);
    const schemaName = schemaOfMessage(this.#resolve(owner, type));
    this.#add(schemaName, this.#schemas.get(schemaName) ?? outer);
    return shortName(schemaName);
  }

  #resolve(owner: string, type: string): string {
    if (type.startsWith('.')) return type.slice(1);
    const pkg = messageOfSchema(longPackage(owner, this.#sources.messages));
    return `${pkg}.${type}`;
  }

  #type(owner: string, type: string): string {
    if (type.endsWith('[]')) return `[]${this.#type(owner, type.slice(0, -2))}`;
    const map = /^map<string,(.*)>$/.exec(type);
    if (map !== null) return `{}${this.#type(owner, map[1] as string)}`;
    if (/^(?:string|bool|bytes|int32|int64|double)$/.test(type)) return type;
    const schemaName = schemaOfMessage(this.#resolve(owner, type));
    const name = shortName(schemaName);
    if (name.endsWith('.ExtraValue')) return '~[]string';
    const special = SPECIAL[name];
    if (special !== undefined) return special;
    this.#add(schemaName);
    return name;
  }

  #row(
    owner: string,
    name: string,
    type: string,
    number: number,
    property: Schema | undefined,
    schema: Schema | undefined,
  ): FieldRow {
    const required = schema?.required?.includes(name) ?? false;
    const facts: GoField = this.#go.field(owner, name);
    const zero = isZero(property?.default);
    const published = isStruct(type) && zero && property !== undefined;
    const pointer = facts.pointer ?? (isStruct(type) && !published);
    const always = facts.always ?? required;
    const flags = [
      pointer ? '*' : '',
      always ? '!' : '',
      required ? 'r' : '',
      zero ? 'd' : '',
      facts.omitZero ? 'z' : '',
      property?.$ref === undefined ? '' : 'b',
    ].join('');
    const extras = fieldExtras(property, zero);
    const typed = facts.go === undefined ? type : `${type}=${facts.go}`;
    return Object.keys(extras).length === 0 ? [name, typed, number, flags] : [name, typed, number, flags, extras];
  }
}

const sorted = (drafts: Iterable<readonly [string, Draft]>): Record<string, TypeRow> =>
  Object.fromEntries([...drafts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { row }]) => [name, row]));

const isStruct = (type: string): boolean => type.includes('.') && !/^[[{~]/.test(type);

function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function longPackage(owner: string, messages: Messages): string {
  for (const prefix of [
    'k8s.io.api.',
    'k8s.io.apimachinery.pkg.apis.',
    'k8s.io.apiextensions_apiserver.pkg.apis.',
    'k8s.io.kube_aggregator.pkg.apis.',
  ]) {
    if (messages[prefix + owner] !== undefined) return (prefix + owner).replace(/\.[^.]*$/, '');
  }
  throw new Error(`no message for ${owner}`);
}

function publishedType(property: Schema): string {
  const ref = property.$ref ?? property.allOf?.[0]?.$ref;
  if (ref !== undefined) {
    const name = shortName(schemaOfRef(ref));
    return SPECIAL[name] ?? name;
  }
  if (property.items !== undefined) return `[]${publishedType(property.items)}`;
  if (property.additionalProperties !== undefined) return `{}${publishedType(property.additionalProperties)}`;
  return { boolean: 'bool', integer: property.format ?? 'int64', number: 'double' }[property.type ?? ''] ?? 'string';
}

function typeExtras(schema: Schema | undefined): Partial<TypeRow> {
  const kinds = schema?.['x-kubernetes-group-version-kind'] as readonly Gvk[] | undefined;
  const mapType = schema?.['x-kubernetes-map-type'] as string | undefined;
  const unions = schema?.['x-kubernetes-unions'] as TypeRow['un'];
  return {
    ...(kinds === undefined
      ? {}
      : { k: kinds.length === 1 ? [kinds[0]!.group, kinds[0]!.version, kinds[0]!.kind] : [] }),
    ...defined({ mt: mapType, un: unions }),
  };
}

function fieldExtras(property: Schema | undefined, zero: boolean): NonNullable<FieldRow[4]> {
  const of = (name: `x-kubernetes-${string}`): string | undefined => property?.[name] as string | undefined;
  const keys = property?.['x-kubernetes-list-map-keys'] as readonly string[] | undefined;
  return {
    ...defined({
      lt: of('x-kubernetes-list-type'),
      lk: keys,
      mt: of('x-kubernetes-map-type'),
      ps: of('x-kubernetes-patch-strategy'),
      pk: of('x-kubernetes-patch-merge-key'),
    }),
    ...(property?.default === undefined || zero ? {} : { d: property.default as string | number | boolean }),
  };
}
