import type { ReplicasPaths } from '#lib/api/patch/apply/scale.ts';
import type { TypedSchema } from '#lib/api/patch/apply/schema.ts';
import type { Convert } from '#lib/api/patch/apply/versions.ts';
import type { PatchSchema } from '#lib/api/patch/strategic/schema.ts';
import type { RepeatedFields } from '#lib/machinery/json-parser.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind, GroupVersionResource } from '#lib/machinery/schema.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { Summary } from '#lib/storage/sequence.ts';
import type { Storage, StoredObject } from '#lib/storage/storage.ts';
import type { Allocator } from './allocator.ts';
import type { FieldLabels } from './field-labels.ts';
import type { WriteGuard } from './guard.ts';
import type { TablePrinter } from './printer.ts';
import type { KindStrategy } from './strategy.ts';

/** A decoded body. `unknown` names fields that the kind does not have, and of built-in kinds the repeated ones, as strict decoding reports them. */
export interface DecodedObject {
  readonly object: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * How objects of one kind and version are read and written. An object passes through up to three versions: the request's,
 * the hub (in which strategies and admission see it), and the stored one. For built-in kinds the hub is the stored version,
 * for custom resources the request's; where versions agree the conversions are the identity.
 */
export interface ObjectScheme {
  readonly kind: GroupVersionKind;
  /** Decodes a body of this version and kind. Throws StatusError (400) with upstream's text. */
  decode(value: Json, repeated?: RepeatedFields): DecodedObject;
  /** The merged object of an apply as an object of the kind, with defaults. Unlike `decode` it leaves nulls to validation. */
  merged(object: JsonObject): JsonObject;
  /** Fills defaults into an object of the request's version, in place. */
  default(object: JsonObject): void;
  toHub(object: JsonObject): JsonObject;
  fromHub(hub: JsonObject): JsonObject;
  toStored(hub: JsonObject): JsonObject;
  fromStored(stored: JsonObject): JsonObject;
  /** Where a webhook converts: the object as a reader would get it, had it been stored. */
  readBack?(hub: JsonObject): Promise<JsonObject>;
  /** Whether what is stored differs from what a write of the unchanged object would store: an old version, new defaults. */
  isOutdated?(stored: StoredObject, hub: JsonObject): boolean;
  /** Whether stored bytes are what this version answers, so that they are spliced unparsed. */
  readonly storedAsServed: boolean;
  /** Names the view of stored bytes in this version; changes with the schema. */
  readonly viewName: string;
  /** Absent where strategic merge patch is not supported (custom resources). */
  readonly strategic?: PatchSchema | undefined;
  readonly typed: TypedSchema;
  /** The kind's other versions, for managers that wrote in them. */
  readonly convert: Convert;
  /** An object of the request's version as Kubernetes protobuf without the envelope; absent for custom resources. */
  encodeProtobuf?(object: JsonObject): Uint8Array;
  decodeProtobuf?(bytes: Uint8Array): JsonObject;
  /** Whether some other registered kind has that name: upstream's scheme knows it, but it is not this one. */
  knows?(given: { readonly apiVersion: string; readonly kind: string }): boolean;
  /** Whether list items carry apiVersion and kind (custom resources) or not (built-in kinds). */
  readonly typedItems: boolean;
}

/** The `scale` subresource: how the main object and an autoscaling/v1 Scale map to each other. */
export interface ScaleMapping {
  /** The Scale of a hub object; `unset` stands in for replicas that it has not, without it they are required. */
  get(hub: JsonObject, unset?: number): JsonObject;
  /** Writes the Scale's replicas into a copy of the hub object. Throws 400 where they are still unset. */
  put(hub: JsonObject, scale: JsonObject): JsonObject;
}

/** One served resource of one group and version: what endpoints and the store need to know, built-in or custom. */
export interface ResourceDefinition {
  readonly resource: GroupVersionResource;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  readonly custom: boolean;
  readonly scheme: ObjectScheme;
  readonly strategy: KindStrategy;
  readonly printer: TablePrinter;
  /** The group and resource in keys: where views of one store meet. */
  readonly storedAs: { readonly group: string; readonly resource: string; readonly version: string };
  readonly storage: Storage;
  /** Labels and selectable fields of an object as stored. */
  summarize(stored: JsonObject): Summary;
  /** Names of the fields beside metadata.name and metadata.namespace that selectors may use. */
  readonly selectableFields: readonly string[];
  /** Of a built-in kind: the names of fields in selectors of its version. A custom resource uses the fields' own names. */
  readonly fieldLabels?: FieldLabels;
  readonly hasStatus: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** Where each version has its replicas, for who owns them; present with `scale`. */
  readonly replicasPaths?: ReplicasPaths;
  readonly scale?: ScaleMapping;
  /** Takes values from the cluster's pools when objects are written. */
  readonly allocator?: Allocator;
  /** Checks rights that a write's content needs besides the right to the verb. */
  readonly guard?: WriteGuard;
  /** Its definition is being deleted: nothing can be created any more. */
  readonly terminating?: boolean;
  /** Of a custom resource: resolves when it is served otherwise or no more, or when `signal` aborts. Its watches end then. */
  changed?(signal: AbortSignal): Promise<void>;
  /** Of a custom resource: its published schemas by name, of the kind and of its list. */
  publish?(openapi: 'v2' | 'v3', turn: Turn): Promise<JsonObject>;
  /** Warning for every request on this version, where it is deprecated. */
  readonly deprecationWarning?: string;
}
