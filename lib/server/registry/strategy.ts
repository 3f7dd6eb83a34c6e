import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { FieldError } from '#lib/machinery/validation/field.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';

/** The part of a strategy that a subresource overrides. */
export interface UpdateStrategy<T extends JsonObject = JsonObject> {
  /** Sets fields that clients may not set: copies fields that this endpoint does not own from `old`, and bumps the generation. */
  readonly prepareForUpdate?: (object: T, old: T, context: RequestContext) => void;
  /**
   * Returns the errors. Errors that `old` already has are passed to `warn` instead, as messages of Warning headers. A message may repeat.
   */
  readonly validateUpdate?: (object: T, old: T, warn?: (text: string) => void) => FieldError[];
}

/** Changes to some stored objects of a kind on every read. */
export interface OnRead<T extends JsonObject = JsonObject> {
  /** Whether `change` may change the object with these bytes. Other objects are served without being parsed. */
  readonly concerns: (body: Uint8Array) => boolean;
  /** Changes an object in the hub version in place. It must not grow. Idempotent. */
  readonly change: (object: T) => void;
}

/**
 * The rules that one built-in kind adds to the generic behaviour: upstream's defaults.go, validation.go and strategy.go. Objects are
 * decoded, well-typed and owned by the caller. `default` and `prepare…` change them in place, `validate…` do not. The registry handles
 * generic metadata (names, labels, owner references, finalizers), the split of spec and status, and the generation. A kind declares only
 * the differences. `T` is the type of the kind's objects.
 */
export interface KindStrategy<T extends JsonObject = JsonObject> extends UpdateStrategy<T> {
  /** Upstream's SetDefaults_*, beyond the constant defaults of the generated table. Idempotent. Runs after every decode. */
  readonly default?: (object: T) => void;
  /** Defaults of objects in versions other than the hub version, by version name. */
  readonly defaultAs?: Readonly<Record<string, (object: JsonObject) => void>>;
  /** Changes to stored objects on every read (upstream: the defaultOnRead of a REST storage). */
  readonly onRead?: OnRead<T>;
  readonly prepareForCreate?: (object: T, context: RequestContext) => void;
  readonly validate?: (object: T) => FieldError[];
  /** Replaces `validate` and `validateUpdate` if validating an object may take long. Pauses between its parts. */
  readonly validationSteps?: (object: T, old: T | undefined) => Steps<FieldError[]>;
  /** Errors of a new object that are reported before its metadata errors. */
  readonly validateFirst?: (object: T) => FieldError[];
  /** Errors that are reported alone, before any other validation (upstream: allocation precedes validation). */
  readonly preValidate?: (object: T, old?: T) => FieldError[];
  /** Messages of the Warning headers on create (`old` is absent) or update. */
  readonly warnings?: (object: T, old?: T) => string[];
  /** The message of the Warning header on a delete without a propagation policy. */
  readonly orphansWarning?: string;
  /** Validates names. Defaults to a DNS subdomain. Returns error messages. */
  readonly validateName?: (name: string, prefix: boolean) => string[];
  /** Changes an object whose deletion cannot complete at once, for example by adding a finalizer or a condition. */
  readonly beginDeletion?: (object: T, context: Pick<RequestContext, 'now'>) => void;
  /**
   * Whether something other than metadata.finalizers delays the deletion (a namespace's spec.finalizers). The object then keeps the state
   * that `beginDeletion` set. The write that removes the last holder deletes the object.
   */
  readonly holdsDeletion?: (object: T) => boolean;
  /** A PUT to a missing name creates the object (upstream: AllowCreateOnUpdate). Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** A PUT without resourceVersion is accepted (upstream: AllowUnconditionalUpdate). Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Whether spec changes bump metadata.generation. Defaults to true if the kind has a spec and a status. */
  readonly hasGeneration?: boolean;
  /** The generation also changes if an absent list or map becomes empty (upstream: reflect.DeepEqual). */
  readonly exactGeneration?: boolean;
  /** The default grace period in seconds, if the kind deletes gracefully (pods). */
  readonly gracePeriod?: (object: T, asked?: number) => number;
  /** The default propagation if the client names none. Defaults to background. */
  readonly defaultPropagation?: 'background' | 'orphan' | 'unsupported';
  /** The fields that field selectors may use in addition to metadata.name and metadata.namespace, and their text. */
  readonly selectableFields?: (object: T) => Record<string, string>;
  /** Keyed by subresource (`status`, `approval`, `resize`, `ephemeralcontainers`). */
  readonly subresources?: Readonly<Record<string, UpdateStrategy<T>>>;
}

/** Keyed by `group/resource`, for example `/pods` or `apps/deployments`. */
export type KindStrategies = Readonly<Record<string, KindStrategy>>;

/** Erases the object type of a strategy, so that a table of kinds can hold it. */
export const strategyOf = <T extends JsonObject>(
  { group, resource }: ResourceOf<T>,
  strategy: KindStrategy<T>,
): KindStrategies => ({ [`${group}/${resource}`]: strategy as KindStrategy });
