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

/**
 * A decoded body. `unknown` lists fields that the kind does not have and, for built-in kinds, duplicate fields, in the wording of strict
 * decoding.
 */
export interface DecodedObject {
  readonly object: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Reads and writes objects of one kind and version. An object passes through up to three versions: the request's version, the hub version
 * (seen by strategies and admission) and the stored version. For built-in kinds the hub version is the stored version. For custom resources
 * it is the request's version. If versions are equal, the conversions return the object unchanged.
 */
export interface ObjectScheme {
  readonly kind: GroupVersionKind;
  /** Decodes a body of this version and kind. Throws StatusError (400) with upstream's text. */
  decode(value: Json, repeated?: RepeatedFields): DecodedObject;
  /** Decodes the merged object of an apply. Unlike `decode`, it leaves nulls for validation to report. */
  merged(object: JsonObject): JsonObject;
  /**
   * Adds defaults in place to an object in the request's version. Throws 413, and adds none, if they are too large. `replaced` is the
   * object that a write replaces. If it lacks its defaults for that reason, an object that is no larger may lack them too.
   */
  default(object: JsonObject, replaced?: JsonObject): void;
  toHub(object: JsonObject): JsonObject;
  fromHub(hub: JsonObject): JsonObject;
  toStored(hub: JsonObject): JsonObject;
  fromStored(stored: JsonObject): JsonObject;
  /** Present with a conversion webhook. Returns the object as a read would return it after it was stored. */
  readBack?(hub: JsonObject): Promise<JsonObject>;
  /** Whether a write of the unchanged object would change the stored bytes, because of an old version or new defaults. */
  isOutdated?(stored: StoredObject, hub: JsonObject): boolean;
  /** Whether responses in this version can copy the stored bytes without parsing them, unless `changesOnRead` returns true for them. */
  readonly storedAsServed: boolean;
  /** Whether a read may change the object with these stored bytes. Default: no object changes. */
  changesOnRead?(body: Uint8Array): boolean;
  /** Identifies this version's view of stored bytes. Changes with the schema. */
  readonly viewName: string;
  /** Absent if strategic merge patch is not supported (custom resources). */
  readonly strategic?: PatchSchema | undefined;
  readonly typed: TypedSchema;
  /** Converts between the kind's versions, for managers that used another version. */
  readonly convert: Convert;
  /** Encodes an object in the request's version as Kubernetes protobuf without the envelope. Absent for custom resources. */
  encodeProtobuf?(object: JsonObject): Uint8Array;
  decodeProtobuf?(bytes: Uint8Array): JsonObject;
  /** Whether another registered kind has that name. Upstream's scheme contains such a kind, but the endpoint does not serve it. */
  knows?(given: { readonly apiVersion: string; readonly kind: string }): boolean;
  /** Whether list items include apiVersion and kind. True for custom resources, false for built-in kinds. */
  readonly typedItems: boolean;
}

/** The `scale` subresource: converts between the main object and an autoscaling/v1 Scale. */
export interface ScaleMapping {
  /** Returns the Scale of a hub object. `unset` replaces missing replicas. Without it, replicas are required. */
  get(hub: JsonObject, unset?: number): JsonObject;
  /** Writes the Scale's replicas into a copy of the hub object. Throws 400 if the replicas are still unset. */
  put(hub: JsonObject, scale: JsonObject): JsonObject;
}

/** A served resource of one group and version, built-in or custom, with everything that endpoints and the store need. */
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
  /** The group and resource in storage keys. All views of one store share them. */
  readonly storedAs: { readonly group: string; readonly resource: string; readonly version: string };
  readonly storage: Storage;
  /** Labels and selectable fields of a stored object. */
  summarize(stored: JsonObject): Summary;
  /** Names of the fields that field selectors may use, in addition to metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  /** The field selector labels of a built-in kind's version. Custom resources use the field names themselves. */
  readonly fieldLabels?: FieldLabels;
  readonly hasStatus: boolean;
  /** DELETE returns the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** The path of the replicas in each version, for field ownership. Present with `scale`. */
  readonly replicasPaths?: ReplicasPaths;
  readonly scale?: ScaleMapping;
  /** Allocates values from the cluster's pools when objects are written. */
  readonly allocator?: Allocator;
  /** Checks permissions that depend on the content of a write, in addition to the permission for the verb. */
  readonly guard?: WriteGuard;
  /** Its definition is being deleted, so creates fail. */
  readonly terminating?: boolean;
  /** Custom resources only. Resolves after its definition changes or disappears, or after `signal` aborts. Its watches then end. */
  changed?(signal: AbortSignal): Promise<void>;
  /** Custom resources only. The published schemas of the kind and of its list, by name. */
  publish?(openapi: 'v2' | 'v3', turn: Turn): Promise<JsonObject>;
  /** The warning for every request to this version, if it is deprecated. */
  readonly deprecationWarning?: string;
}
