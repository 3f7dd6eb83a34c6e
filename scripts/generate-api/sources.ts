import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON schema in the published documents, limited to the fields that the generator reads. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}
/** A group, version and kind in `x-kubernetes-group-version-kind`. */
export interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
/** The fields of an OpenAPI operation that the generator reads. */
export interface Operation {
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: Gvk;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
/** The fields of an OpenAPI v3 document that the generator reads. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}
/** A resource in discovery. */
export interface DiscoveredResource {
  readonly resource: string;
  readonly singularResource: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly responseKind: Gvk;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind: Gvk;
    readonly verbs: readonly string[];
  }[];
}
interface DiscoveredGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
}
/** The number and type of each field: message → field → [number, type]. */
export type Messages = Readonly<Record<string, Readonly<Record<string, readonly [number, string]>>>>;

/** The documents of a running kube-apiserver. */
export interface Sources {
  /** Documents of served versions by path: `api/v1`, `apis/apps/v1`, and also `apis/apps` and `version`. */
  readonly documents: ReadonlyMap<string, Document>;
  /** Documents of alpha and beta versions, which are published only if enabled. */
  readonly unserved: ReadonlyMap<string, Document>;
  readonly groups: readonly DiscoveredGroup[];
  readonly messages: Messages;
}

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** Reads the published facts. A default server serves only stable versions. */
export function readSources(folder: string): Sources {
  const documents = new Map<string, Document>();
  const unserved = new Map<string, Document>();
  const published = join(folder, 'kubernetes-openapi-v3');
  for (const file of readdirSync(published).sort()) {
    const path = file.replace(/_openapi\.json$/, '').replaceAll('__', '/');
    if (/\/v\d+[a-z]\w*$/.test(path)) unserved.set(path, readJson(published, file));
    else if (/^(?:apis?(?:\/[^/]+)?(?:\/v\d+)?|version)$/.test(path)) documents.set(path, readJson(published, file));
  }
  return {
    documents,
    unserved,
    groups: readJson<{ items: DiscoveredGroup[] }>(folder, 'aggregated_v2.json').items,
    messages: readJson(folder, 'kubernetes-protobuf.json'),
  };
}
